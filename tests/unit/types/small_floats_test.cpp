// Floating-point numbers of 8 and 4 bits, and their codes.
#include "types/small_floats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace switchyard {
namespace {

constexpr DType kSmallFloats[] = {DType::float8e4m3fn,   DType::float8e4m3fnuz, DType::float8e5m2,
                                  DType::float8e5m2fnuz, DType::float8e8m0,     DType::float4e2m1};

TEST(SmallFloatsTest, EveryNumberHasItsCode) {
  for (const DType dtype : kSmallFloats) {
    for (int code = 0; code < 1 << bit_width(dtype); ++code) {
      const double number = from_small_float(dtype, static_cast<std::uint8_t>(code));
      if (!std::isfinite(number)) continue;
      EXPECT_EQ(small_float_code(dtype, number), code) << name_of(dtype) << " " << number;
    }
  }
}

TEST(SmallFloatsTest, WhatIsTooLargeBecomesTheLargest) {
  for (const double large : {1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(from_small_float(DType::float8e4m3fn, small_float_code(DType::float8e4m3fn, large)),
              448);
    EXPECT_EQ(from_small_float(DType::float8e5m2, small_float_code(DType::float8e5m2, -large)),
              -57344);
    EXPECT_EQ(from_small_float(DType::float4e2m1, small_float_code(DType::float4e2m1, large)), 6);
    EXPECT_EQ(small_float_code(DType::float8e8m0, large), 0xfe);
  }
}

TEST(SmallFloatsTest, TiesGoToEven) {
  EXPECT_EQ(from_small_float(DType::float8e4m3fn, small_float_code(DType::float8e4m3fn, 17)), 16);
  EXPECT_EQ(from_small_float(DType::float8e4m3fn, small_float_code(DType::float8e4m3fn, 19)), 20);
  EXPECT_EQ(from_small_float(DType::float4e2m1, small_float_code(DType::float4e2m1, 2.5)), 2);
  EXPECT_EQ(from_small_float(DType::float8e8m0, small_float_code(DType::float8e8m0, 2.5)), 4);
}

}  // namespace
}  // namespace switchyard
