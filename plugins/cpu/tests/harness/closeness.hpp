// How near results must be: in units in the last place of their type.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "harness/harness.hpp"

namespace cpu::testing {

// The distance between neighbours of `number` in `dtype`.
inline double unit_of(sy_dtype dtype, double number) {
  int digits = 0;
  int least = 0;  // exponent of the least positive number
  switch (dtype) {
    case SY_FLOAT64:
      digits = 53;
      least = -1074;
      break;
    case SY_FLOAT32:
      digits = 24;
      least = -149;
      break;
    case SY_FLOAT16:
      digits = 11;
      least = -24;
      break;
    case SY_BFLOAT16:
      digits = 8;
      least = -133;
      break;
    default: return 1;
  }
  if (number == 0 || !std::isfinite(number)) return std::ldexp(1.0, least);
  return std::ldexp(1.0, std::max(std::ilogb(number) - digits + 1, least));
}

inline double largest_of(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT32: return std::numeric_limits<float>::max();
    case SY_FLOAT16: return 65504;
    case SY_BFLOAT16: return 0x1.fep127;
    default: return std::numeric_limits<double>::max();
  }
}

// What an exact result may be off by: only the narrow types round it.
inline double units_for(sy_dtype dtype) {
  return dtype == SY_BFLOAT16 || dtype == SY_FLOAT16 ? 0.51 : 0;
}

// Units between; 0 if both are NaN or the same infinity.
inline double units_apart(sy_dtype dtype, double actual, double expected) {
  if (std::isnan(actual) && std::isnan(expected)) return 0;
  if (actual == expected) return 0;
  const double largest = largest_of(dtype);
  if (std::isinf(actual) && std::abs(expected) >= largest * (1 - 1e-3) &&
      std::signbit(actual) == std::signbit(expected)) {
    return 0;
  }
  if (!std::isfinite(actual) || !std::isfinite(expected))
    return std::numeric_limits<double>::infinity();
  return std::abs(actual - expected) / unit_of(dtype, expected);
}

// Each element within `units`, or within `absolute`.
inline void expect_near(const Value& actual, const std::vector<double>& expected, double units,
                        double absolute = 0) {
  const std::vector<double> got = as_doubles(actual);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    if (std::abs(got[i] - expected[i]) <= absolute) continue;
    ASSERT_LE(units_apart(actual.dtype, got[i], expected[i]), units)
        << "element " << i << " is " << got[i] << ", expected " << expected[i];
  }
}

}  // namespace cpu::testing
