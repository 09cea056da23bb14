// QuantizeLinear and DequantizeLinear, worked out one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <typename Q>
Q quantized(float x, float scale, int zero) {
  const float value = std::nearbyint(x / scale) + static_cast<float>(zero);
  if (std::isnan(value)) return 0;
  return static_cast<Q>(std::clamp(value, static_cast<float>(std::numeric_limits<Q>::min()),
                                   static_cast<float>(std::numeric_limits<Q>::max())));
}

template <typename Q>
class Quantized : public testing::Test {};
using Integers = testing::Types<std::int8_t, std::uint8_t, std::int16_t>;
TYPED_TEST_SUITE(Quantized, Integers);

TYPED_TEST(Quantized, RoundsToEvenAndSaturates) {
  const Floats x = {0, 1, 2, 3, -1, -2.5f, 5, 7, 1e9f, -1e9f, infinity, 0.2f, -infinity, NAN};
  std::vector<TypeParam> expected;
  for (const float one : x) expected.push_back(quantized<TypeParam>(one, 2, 3));
  const auto count = static_cast<std::int64_t>(x.size());
  Case("QuantizeLinear", 21)
      .attribute("axis", 1)
      .template input<float>({count}, x)
      .template input<float>({}, {2})
      .template input<TypeParam>({}, {3})
      .expect({count}, expected);
}

TYPED_TEST(Quantized, AlongAnAxis) {
  const auto x = numbers<float>(12);
  const Floats scale = {0.25f, 1, 4};
  const std::vector<TypeParam> zero = {1, 2, 3};
  std::vector<TypeParam> expected;
  Floats back;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t position = i / 2 % 3;
    expected.push_back(quantized<TypeParam>(x[i], scale[position], zero[position]));
    back.push_back(static_cast<float>(expected.back() - zero[position]) * scale[position]);
  }
  Case("QuantizeLinear", 21)
      .attribute("axis", -2)
      .template input<float>({2, 3, 2}, x)
      .template input<float>({3}, scale)
      .template input<TypeParam>({3}, zero)
      .expect({2, 3, 2}, expected);
  Case("DequantizeLinear", 21)
      .attribute("axis", 1)
      .template input<TypeParam>({2, 3, 2}, expected)
      .template input<float>({3}, scale)
      .template input<TypeParam>({3}, zero)
      .expect({2, 3, 2}, back);
}

TYPED_TEST(Quantized, OfHalvesWithoutAZeroPoint) {
  const std::vector<half> x = {half(1.5f), half(-0.75f), half(100.0f)};
  std::vector<TypeParam> expected;
  for (const half one : x) expected.push_back(quantized<TypeParam>(one, 0.5f, 0));
  Case("QuantizeLinear", 21)
      .template input<half>({3}, x)
      .template input<half>({1}, {half(0.5f)})
      .expect({3}, expected);
  Case("DequantizeLinear", 21)
      .template input<TypeParam>({3}, {1, 2, 100})
      .template input<half>({}, {half(0.5f)})
      .expect({3}, std::vector<half>{half(0.5f), half(1.0f), half(50.0f)});
}

TEST(Dequantize, KeepsLargeDifferences) {
  Case("DequantizeLinear", 21)
      .input<std::int32_t>({3}, {2147483647, -2147483647 - 1, 16777217})
      .input<float>({}, {1})
      .input<std::int32_t>({}, {2147483647})
      .expect<float>({3}, {0, -4294967295.0f, -2130706430.0f});
}

TEST(Quantize, OfNothing) {
  Case("QuantizeLinear", 21)
      .input<float>({0, 3}, {})
      .input<float>({}, {1})
      .input<std::int8_t>({}, {0})
      .expect<std::int8_t>({0, 3}, {});
}

TEST(Quantize, RefusesBlocks) {
  const sy::Failure failure = Case("QuantizeLinear", 21)
                                  .attribute("block_size", 2)
                                  .input<float>({4}, {1, 2, 3, 4})
                                  .input<float>({2}, {1, 2})
                                  .output<std::uint8_t>({4}, {0, 0, 0, 0})
                                  .failure();
  EXPECT_EQ(failure.reason(), SY_REASON_ATTRIBUTE);
}

TEST(Quantize, RefusesANarrowPrecision) {
  const sy::Failure failure = Case("QuantizeLinear", 25)
                                  .attribute("precision", SY_FLOAT16)
                                  .input<float>({1}, {2051})
                                  .input<float>({}, {1})
                                  .output<std::uint8_t>({1}, {0})
                                  .failure();
  EXPECT_EQ(failure.reason(), SY_REASON_ATTRIBUTE);
}

TEST(Dequantize, RefusesAScaleOfAnotherTypeThanTheResult) {
  const sy::Failure failure = Case("DequantizeLinear", 23)
                                  .attribute("output_dtype", SY_FLOAT32)
                                  .input<std::int8_t>({1}, {1})
                                  .input<half>({}, {half(1.0f)})
                                  .output<float>({1}, {0})
                                  .failure();
  EXPECT_EQ(failure.reason(), SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
