// Naive products and numbers to try them on.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/harness.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {

// Integers from -4 to 4, so that sums of their products are exact in every float type of 11
// bits and more as long as they are short; unsigned types get 0 to 3.
inline std::vector<double> small_integers(int64_t count, int seed, bool is_signed = true) {
  std::vector<double> made;
  uint32_t state = static_cast<uint32_t>(seed) * 2654435761u + 12345u;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    made.push_back(static_cast<double>(state >> 16 & 0x7fff) / 0x7fff * (is_signed ? 8.99 : 3.99) -
                   (is_signed ? 4.5 : 0));
    made.back() = static_cast<double>(static_cast<int64_t>(made.back()));
  }
  return made;
}

// Numbers in (-1, 1) that are not round.
inline std::vector<double> fractions(int64_t count, int seed) {
  std::vector<double> made;
  uint32_t state = static_cast<uint32_t>(seed) * 2246822519u + 777u;
  for (int64_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    made.push_back(static_cast<double>(static_cast<int32_t>(state)) / 2147483648.0);
  }
  return made;
}

// Between `low` and `high`, in no order.
inline std::vector<double> numbers_between(double low, double high, int64_t count) {
  std::vector<double> made;
  for (int64_t i = 0; i < count; ++i) {
    made.push_back(low + (high - low) * static_cast<double>(i * 7919 % 1009) / 1009);
  }
  return made;
}

inline bool is_unsigned(sy_dtype dtype) { return (sy::unsigned_dtypes & SY_DTYPE_BIT(dtype)) != 0; }

inline Value whole(sy_dtype dtype, const Shape& shape, int seed) {
  const int64_t count = sy::element_count(shape);
  return from_doubles(dtype, shape, small_integers(count, seed, !is_unsigned(dtype)));
}

// Rounded to `dtype` already.
inline Value random(sy_dtype dtype, const Shape& shape, int seed) {
  return from_doubles(dtype, shape, fractions(sy::element_count(shape), seed));
}

// The same number everywhere.
inline Value filled(const Shape& shape, double number, sy_dtype dtype = SY_FLOAT32) {
  const auto count = static_cast<size_t>(sy::element_count(shape));
  if (dtype == SY_FLOAT32) {
    return value<float>(shape, std::vector<float>(count, static_cast<float>(number)));
  }
  return from_doubles(dtype, shape, std::vector<double>(count, number));
}

// m x k by k x n, row-major, in double.
inline std::vector<double> product_of(const double* a, const double* b, int64_t m, int64_t n,
                                      int64_t k) {
  std::vector<double> c(static_cast<size_t>(m * n), 0.0);
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t at = 0; at < k; ++at) {
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + at] * b[at * n + j];
    }
  }
  return c;
}

}  // namespace cpu::testing
