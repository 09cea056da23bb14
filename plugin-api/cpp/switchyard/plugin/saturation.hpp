/// @file
/// Arithmetic on extents that stays at the ends of int64_t where the exact result is beyond them.
/// No tensor has such an extent.
#pragma once

#include <cstdint>

namespace sy {

/// a + b, a - b and a b, or the end of int64_t that it lies beyond.
/// @{
constexpr int64_t saturated_add(int64_t a, int64_t b) noexcept {
  int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

constexpr int64_t saturated_subtract(int64_t a, int64_t b) noexcept {
  int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return a < 0 ? INT64_MIN : INT64_MAX;
}

constexpr int64_t saturated_multiply(int64_t a, int64_t b) noexcept {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? INT64_MIN : INT64_MAX;
}
/// @}

}  // namespace sy
