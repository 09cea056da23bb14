#include "types/numeric.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace cpu {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// The nearest of a type's finite codes by search, ties to the even code: an independent reference.
template <typename T>
uint32_t nearest_code(float number, uint32_t largest) {
  uint32_t best = 0;
  for (uint32_t code = 0; code <= largest; ++code) {
    const double candidate = to_float(T{static_cast<decltype(T::bits)>(code)});
    const double distance = std::abs(candidate - std::abs(static_cast<double>(number)));
    const double best_distance = std::abs(to_float(T{static_cast<decltype(T::bits)>(best)}) -
                                          std::abs(static_cast<double>(number)));
    if (distance < best_distance || (distance == best_distance && code % 2 == 0)) best = code;
  }
  return best;
}

TEST(Numeric, EveryFloat16SurvivesTheWayToFloatAndBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Float16 half{static_cast<uint16_t>(bits)};
    const float number = to_float(half);
    if (std::isnan(number)) {
      EXPECT_GT(bits & 0x7fffu, 0x7c00u);
      EXPECT_TRUE(std::isnan(to_float(to_float16(number))));
    } else {
      ASSERT_EQ(to_float16(number).bits, bits);
    }
  }
}

TEST(Numeric, Float16RoundsToNearestEven) {
  EXPECT_EQ(to_float16(1.0f).bits, 0x3c00);
  EXPECT_EQ(to_float16(-2.0f).bits, 0xc000);
  EXPECT_EQ(to_float16(65504.0f).bits, 0x7bff);
  EXPECT_EQ(to_float16(65519.996f).bits, 0x7bff);
  EXPECT_EQ(to_float16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(to_float16(infinity).bits, 0x7c00);
  EXPECT_EQ(to_float16(0x1p-24f).bits, 1);
  EXPECT_EQ(to_float16(0x1p-25f).bits, 0);
  EXPECT_EQ(to_float16(0x1.000002p-25f).bits, 1);
  EXPECT_EQ(to_float16(0x1.002p0f).bits, 0x3c00);  // half of a step above 1: to even
  EXPECT_EQ(to_float16(0x1.006p0f).bits, 0x3c02);  // half of a step above the next: to even
  for (float number = 1e-8f; number < 70000.0f; number *= 1.37f) {
    if (number < 65504.0f) {
      ASSERT_EQ(to_float16(number).bits, nearest_code<Float16>(number, 0x7bff));
    }
  }
}

TEST(Numeric, DoublesAreRoundedOnce) {
  const double above_tie = 1.0 + 0x1p-11 + 0x1p-40;  // a float would land on the tie
  EXPECT_EQ(to_float16(above_tie).bits, 0x3c01);
  EXPECT_EQ(to_float16(-above_tie).bits, 0xbc01);
  EXPECT_EQ(to_bfloat16(1.0 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
}

TEST(Numeric, BFloat16RoundsToNearestEvenAndKeepsNaN) {
  EXPECT_EQ(to_bfloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(to_bfloat16(0x1.01p0f).bits, 0x3f80);
  EXPECT_EQ(to_bfloat16(0x1.03p0f).bits, 0x3f82);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
  EXPECT_TRUE(std::isnan(to_float(to_bfloat16(std::bit_cast<float>(0x7f800001u)))));
}

template <typename T>
class Float8Test : public ::testing::Test {};
using Float8Types = ::testing::Types<Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ>;
TYPED_TEST_SUITE(Float8Test, Float8Types);

TYPED_TEST(Float8Test, EveryCodeSurvivesTheWayToFloatAndBack) {
  for (uint32_t bits = 0; bits < 256; ++bits) {
    const float number = to_float(TypeParam{static_cast<uint8_t>(bits)});
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(to_float(ToFloat8<TypeParam>::from(number, true))));
    } else {
      EXPECT_EQ(ToFloat8<TypeParam>::from(number, false).bits, bits) << number;
    }
  }
}

TYPED_TEST(Float8Test, RoundsToTheNearestCode) {
  const auto largest = static_cast<uint32_t>(detail::Float8Codes<TypeParam>::largest);
  const float limit = to_float(TypeParam{static_cast<uint8_t>(largest)});
  for (float number = 1e-6f; number < limit; number *= 1.0173f) {
    const uint32_t expected = nearest_code<TypeParam>(number, largest);
    ASSERT_EQ(ToFloat8<TypeParam>::from(number, true).bits, expected) << number;
  }
}

TEST(Numeric, Float8SaturatesAsOnnxSays) {
  EXPECT_EQ(ToFloat8<Float8E4M3FN>::from(1e9f, true).bits, 0x7e);
  EXPECT_EQ(ToFloat8<Float8E4M3FN>::from(-infinity, true).bits, 0xfe);
  EXPECT_EQ(ToFloat8<Float8E4M3FN>::from(1e9f, false).bits, 0x7f);
  EXPECT_EQ(ToFloat8<Float8E5M2>::from(infinity, true).bits, 0x7b);
  EXPECT_EQ(ToFloat8<Float8E5M2>::from(infinity, false).bits, 0x7c);
  EXPECT_EQ(ToFloat8<Float8E5M2>::from(-1e9f, false).bits, 0xfc);
  EXPECT_EQ(ToFloat8<Float8E4M3FNUZ>::from(-infinity, true).bits, 0xff);
  EXPECT_EQ(ToFloat8<Float8E5M2FNUZ>::from(infinity, true).bits, 0x7f);
  EXPECT_EQ(ToFloat8<Float8E4M3FNUZ>::from(-infinity, false).bits, 0x80);
  EXPECT_EQ(ToFloat8<Float8E5M2FNUZ>::from(1e9f, false).bits, 0x80);
  EXPECT_EQ(ToFloat8<Float8E4M3FNUZ>::from(-1e9f, true).bits, 0xff);
  EXPECT_EQ(ToFloat8<Float8E5M2FNUZ>::from(-0.0f, true).bits, 0x00);
  EXPECT_EQ(to_float(Float8E4M3FN{0x7e}), 448.0f);
  EXPECT_EQ(to_float(Float8E4M3FNUZ{0x7f}), 240.0f);
  EXPECT_EQ(to_float(Float8E5M2{0x7b}), 57344.0f);
  EXPECT_EQ(to_float(Float8E5M2FNUZ{0x7f}), 57344.0f);
}

TEST(Numeric, ConversionsToIntegersSaturate) {
  EXPECT_EQ((convert<int8_t>(300.0f)), 127);
  EXPECT_EQ((convert<uint8_t>(-1.5f)), 0);
  EXPECT_EQ((convert<int64_t>(1e30)), std::numeric_limits<int64_t>::max());
  EXPECT_EQ((convert<int32_t>(std::nanf(""))), 0);
  EXPECT_EQ((convert<int32_t>(-2.9f)), -2);
  EXPECT_EQ((convert<int8_t>(int32_t{300})), 44);
  EXPECT_TRUE((convert<bool>(0.5f)));
  EXPECT_EQ(to_float(convert<Float16>(int64_t{2049})), 2048.0f);
}

}  // namespace
}  // namespace cpu
