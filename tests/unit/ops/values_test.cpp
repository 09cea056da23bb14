// Types, literals and attributes: what ops are told in.
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/error.hpp>

#include "ops/attributes.hpp"
#include "ops/inference.hpp"
#include "ops/scalar_literal.hpp"

namespace switchyard {
namespace {

using ::testing::ElementsAre;

TEST(DTypeTest, NamesGoBothWays) {
  for (int i = 1; i <= static_cast<int>(kLastDType); ++i) {
    const auto dtype = static_cast<DType>(i);
    EXPECT_EQ(dtype_named(name_of(dtype)), dtype);
  }
  EXPECT_EQ(dtype_named("undefined"), std::nullopt);
  EXPECT_EQ(name_of(static_cast<DType>(99)), "undefined");
}

TEST(DTypeTest, PackedTypesRoundUpToBytes) {
  EXPECT_EQ(byte_size(DType::int4, 3), 2u);
  EXPECT_EQ(byte_size(DType::uint4, 0), 0u);
  EXPECT_EQ(byte_size(DType::complex128, 2), 32u);
  EXPECT_EQ(byte_size(DType::bool_, 5), 5u);
}

TEST(LiteralTest, ReadsIntegersOfEveryWidth) {
  const std::int8_t bytes[] = {-1, 7};
  EXPECT_THAT(Literal::of<std::int8_t>(DType::int8, {2}, bytes).to_int64s(), ElementsAre(-1, 7));
  const std::uint8_t packed[] = {0x8F, 0x03};
  EXPECT_THAT(
      Literal(DType::int4, {3}, nullptr, reinterpret_cast<const std::byte*>(packed)).to_int64s(),
      ElementsAre(-1, -8, 3));
  EXPECT_THAT(
      Literal(DType::uint4, {3}, nullptr, reinterpret_cast<const std::byte*>(packed)).to_int64s(),
      ElementsAre(15, 8, 3));
  EXPECT_THROW(scalar_literal(DType::float32, 1).to_int64s(), Error);
}

TEST(LiteralTest, FreshOnesAreZero) {
  const Literal fresh(DType::int32, {2, 3});
  EXPECT_EQ(fresh.size_bytes(), 24u);
  EXPECT_THAT(fresh.to_int64s(), ::testing::Each(0));
  EXPECT_EQ(Literal(DType::string, {2}).strings().size(), 2u);
  EXPECT_THROW(fresh.strings(), Error);
}

TEST(ScalarLiteralTest, RoundsHalvesToEven) {
  EXPECT_EQ(float16_bits(1.0f), 0x3C00);
  EXPECT_EQ(float16_bits(1.0f + 0x1p-11f), 0x3C00);
  EXPECT_EQ(float16_bits(1.0f + 3 * 0x1p-11f), 0x3C02);
  EXPECT_EQ(float16_bits(65519.0f), 0x7BFF);
  EXPECT_EQ(float16_bits(65520.0f), 0x7C00);
  EXPECT_EQ(float16_bits(-3e38f), 0xFC00);
  EXPECT_EQ(float16_bits(0x1p-24f), 0x0001);
  EXPECT_EQ(float16_bits(0x1p-25f), 0x0000);
  EXPECT_EQ(float16_bits(0x1.ffcp-15f), 0x0400);
  EXPECT_EQ(bfloat16_bits(1.0f + 0x1p-8f), 0x3F80);
  EXPECT_EQ(bfloat16_bits(std::numeric_limits<float>::max()), 0x7F80);
  EXPECT_TRUE(std::isnan(from_bfloat16_bits(bfloat16_bits(NAN))));
}

TEST(ScalarLiteralTest, EveryHalfSurvivesTheWayThere) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = from_float16_bits(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(float16_bits(value), bits);
  }
}

TEST(InferenceTest, ReadsFloatsOfEveryWidth) {
  const Attributes none;
  for (DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    const Literal literal = scalar_literal(dtype, -0.375);
    const ValueInfo inputs[] = {{dtype, Dims{}, &literal}};
    const Inference inference("Op", none, inputs, {});
    EXPECT_THAT(*inference.floats(0), ElementsAre(-0.375f));
  }
}

TEST(AttributesTest, EqualityIgnoresOrderAndTellsBitsApart) {
  Attributes a;
  Attributes b;
  a.set("x", std::int64_t{1});
  a.set("y", 0.0f);
  b.set("y", 0.0f);
  EXPECT_FALSE(a == b);
  b.set("x", std::int64_t{1});
  EXPECT_TRUE(a == b);
  b.set("y", -0.0f);
  EXPECT_FALSE(a == b);
  b.set("y", std::int64_t{0});
  EXPECT_FALSE(a == b);
  a.set("y", scalar_literal(DType::float32, 2));
  b.set("y", scalar_literal(DType::float32, 2));
  EXPECT_TRUE(a == b);
  b.set("y", scalar_literal(DType::float32, 3));
  EXPECT_FALSE(a == b);
}

TEST(AttributesTest, AWrongKindIsAnError) {
  Attributes attributes;
  attributes.set("axis", 1.0f);
  EXPECT_THROW(attributes.get_int("axis", 0), Error);
  EXPECT_EQ(attributes.get_int("other", 7), 7);
  attributes.remove("axis");
  EXPECT_EQ(attributes.size(), 0u);
}

}  // namespace
}  // namespace switchyard
