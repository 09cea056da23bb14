// Philox4x32-10 (Salmon and others, 2011): random numbers as a function of a key and a counter, so
// that any of them can be had by itself, on any thread.
#pragma once

#include <array>
#include <cstdint>

namespace cpu {

using PhiloxBlock = std::array<uint32_t, 4>;

inline PhiloxBlock philox(uint64_t counter, uint64_t key) {
  PhiloxBlock x = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0};
  auto k0 = static_cast<uint32_t>(key);
  auto k1 = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t low = uint64_t{0xD2511F53} * x[0];
    const uint64_t high = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(high >> 32) ^ x[1] ^ k0, static_cast<uint32_t>(high),
         static_cast<uint32_t>(low >> 32) ^ x[3] ^ k1, static_cast<uint32_t>(low)};
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return x;
}

// From [0, 1), a multiple of 2^-24 or 2^-53.
inline float uniform_float(uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }
inline double uniform_double(uint32_t low, uint32_t high) {
  const uint64_t bits = uint64_t{high} << 32 | low;
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace cpu
