#include "kernels/random/random_fill.hpp"

#include <cmath>
#include <numbers>
#include <type_traits>

#include "kernels/random/philox.hpp"

namespace cpu {
namespace {

PhiloxBlock block_at(PhiloxStream stream, int64_t number) {
  return philox(stream.counter + static_cast<uint64_t>(number), stream.key);
}

// The upper 64 bits of a product.
uint64_t multiply_high(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  const uint64_t other = a0 * b1 + (middle & 0xffffffffu);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

}  // namespace

double uniform_at(int64_t i, PhiloxStream stream) {
  const PhiloxBlock block = block_at(stream, i / 2);
  return i % 2 == 0 ? uniform_double(block[0], block[1]) : uniform_double(block[2], block[3]);
}

template <typename T>
void fill_uniform(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double low,
                  double high) {
  if constexpr (std::is_same_v<T, double>) {
    for (int64_t i = begin; i < end; ++i) numbers[i] = uniform_at(i, stream) * (high - low) + low;
  } else {
    const auto start = static_cast<float>(low);
    const auto range = static_cast<float>(high) - start;
    for (int64_t i = begin; i < end;) {
      const PhiloxBlock block = block_at(stream, i / 4);
      for (int64_t k = i % 4; k < 4 && i < end; ++k, ++i) {
        numbers[i] = uniform_float(block[k]) * range + start;
      }
    }
  }
}

template <typename T>
void fill_normal(T* numbers, int64_t begin, int64_t end, PhiloxStream stream, double mean,
                 double scale) {
  for (int64_t i = begin; i < end;) {
    const PhiloxBlock block = block_at(stream, i / 2);
    const double radius = std::sqrt(-2 * std::log1p(-uniform_double(block[0], block[1])));
    const double angle = 2 * std::numbers::pi * uniform_double(block[2], block[3]);
    if (i % 2 == 0) numbers[i++] = static_cast<T>(radius * std::cos(angle) * scale + mean);
    if (i < end && i % 2 == 1) {
      numbers[i++] = static_cast<T>(radius * std::sin(angle) * scale + mean);
    }
  }
}

void fill_integers(int64_t* numbers, int64_t begin, int64_t end, PhiloxStream stream, int64_t low,
                   int64_t high) {
  const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  for (int64_t i = begin; i < end; ++i) {
    const PhiloxBlock block = block_at(stream, i / 2);
    const size_t half = i % 2 == 0 ? 0 : 2;
    const uint64_t bits = uint64_t{block[half + 1]} << 32 | block[half];
    numbers[i] = static_cast<int64_t>(static_cast<uint64_t>(low) + multiply_high(bits, range));
  }
}

template void fill_uniform(float*, int64_t, int64_t, PhiloxStream, double, double);
template void fill_uniform(double*, int64_t, int64_t, PhiloxStream, double, double);
template void fill_normal(float*, int64_t, int64_t, PhiloxStream, double, double);
template void fill_normal(double*, int64_t, int64_t, PhiloxStream, double, double);

}  // namespace cpu
