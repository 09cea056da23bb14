// Philox4x32-10 as its authors publish it, and numbers made of its blocks.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace mps::op_tests {

using Block = std::array<uint32_t, 4>;

inline Block philox(uint64_t counter, uint64_t key) {
  Block x = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0};
  uint32_t keys[2] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * x[0], b = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ keys[0], static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ x[3] ^ keys[1], static_cast<uint32_t>(a)};
    keys[0] += 0x9E3779B9;
    keys[1] += 0xBB67AE85;
  }
  return x;
}

// Element i of a stream whose first block is `first`.
inline float uniform(size_t i, uint64_t key, uint64_t first = 0) {
  return static_cast<float>(philox(first + i / 4, key)[i % 4] >> 8) * 0x1p-24f;
}

inline double fraction(uint32_t low, uint32_t high) {
  return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

inline double normal(size_t i, uint64_t key, uint64_t first = 0) {
  const Block block = philox(first + i / 2, key);
  const double radius = std::sqrt(-2 * std::log1p(-fraction(block[0], block[1])));
  const double angle = 2 * std::numbers::pi * fraction(block[2], block[3]);
  return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

template <typename T, typename Make>
std::vector<T> elements(int64_t count, Make&& make) {
  std::vector<T> made;
  for (int64_t i = 0; i < count; ++i) {
    made.push_back(static_cast<T>(make(static_cast<size_t>(i))));
  }
  return made;
}

}  // namespace mps::op_tests
