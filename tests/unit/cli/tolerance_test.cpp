// When an output counts as the expected one.
#include "cli/verify/tolerance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/scalar_literal.hpp"

namespace switchyard::cli {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <typename T>
Literal literal(DType dtype, const std::vector<T>& values) {
  return Literal::of<T>(dtype, {static_cast<std::int64_t>(values.size())}, values);
}

Literal floats(const std::vector<float>& values) { return literal(DType::float32, values); }

bool equal(const Literal& got, const Literal& expected, const ToleranceOptions& options = {}) {
  return compare(got, expected, options).is_equal;
}

TEST(Tolerance, FloatsMayDifferByAThousandthOrATenMillionth) {
  EXPECT_TRUE(equal(floats({1000.9F}), floats({1000})));
  EXPECT_FALSE(equal(floats({1001.1F}), floats({1000})));
  EXPECT_TRUE(equal(floats({0.9e-7F}), floats({0})));
  EXPECT_FALSE(equal(floats({1.1e-7F}), floats({0})));
}

TEST(Tolerance, IsRelativeToWhatIsExpected) {
  EXPECT_FALSE(equal(floats({1}), floats({0.99F})));
  EXPECT_TRUE(equal(floats({1}), floats({0.99F}), {0.02, 0.0}));
  EXPECT_FALSE(equal(floats({1}), floats({0}), {0.5, 0.0}));
}

TEST(Tolerance, OptionsReplaceTheDefaults) {
  EXPECT_FALSE(equal(floats({1.0005F}), floats({1}), {1e-4, {}}));
  EXPECT_TRUE(equal(floats({1.05F}), floats({1}), {{}, 0.1}));
}

TEST(Tolerance, APeakStandsInForTheRelativeError) {
  ToleranceOptions options;
  options.peak = 1e-4;
  EXPECT_TRUE(equal(floats({100, 0.009F}), floats({100, 0}), options));
  EXPECT_FALSE(equal(floats({100, 0.011F}), floats({100, 0}), options));
  EXPECT_FALSE(equal(floats({100.05F}), floats({100}), options));
  options.relative = 1e-3;
  EXPECT_TRUE(equal(floats({100.05F}), floats({100}), options));
}

TEST(Tolerance, APeakIsOfNumbersOnly) {
  ToleranceOptions options;
  options.peak = 0.1;
  EXPECT_FALSE(equal(floats({kInfinity, 2}), floats({kInfinity, 1}), options));
}

TEST(Tolerance, NanEqualsNanAndInfinityItself) {
  EXPECT_TRUE(equal(floats({kNan, kInfinity, -kInfinity}), floats({kNan, kInfinity, -kInfinity})));
  EXPECT_TRUE(equal(floats({-kNan}), floats({kNan})));
  EXPECT_FALSE(equal(floats({kNan}), floats({1})));
  EXPECT_FALSE(equal(floats({1}), floats({kNan})));
  EXPECT_FALSE(equal(floats({kInfinity}), floats({-kInfinity})));
  EXPECT_FALSE(equal(floats({3e38F}), floats({kInfinity})));
  EXPECT_FALSE(equal(floats({kInfinity}), floats({3e38F}), {1.0, 1.0}));
}

TEST(Tolerance, ZerosOfBothSignsAreEqual) { EXPECT_TRUE(equal(floats({-0.0F}), floats({0.0F}))); }

TEST(Tolerance, NarrowFloatsHaveToleranceOfTheirOwn) {
  const auto half = [](float value) {
    return literal<std::uint16_t>(DType::float16, {float16_bits(value)});
  };
  EXPECT_TRUE(equal(half(1.008F), half(1)));
  EXPECT_FALSE(equal(half(1.02F), half(1)));
  const auto brain = [](float value) {
    return literal<std::uint16_t>(DType::bfloat16, {bfloat16_bits(value)});
  };
  EXPECT_TRUE(equal(brain(1.0156F), brain(1)));
  EXPECT_FALSE(equal(brain(1.05F), brain(1)));
}

TEST(Tolerance, IntegersAndBoolsAreEqualOrNot) {
  const auto ints = [](std::int32_t value) { return literal<std::int32_t>(DType::int32, {value}); };
  EXPECT_FALSE(equal(ints(1000001), ints(1000000), {1.0, 10.0}));
  EXPECT_FALSE(equal(literal<std::uint8_t>(DType::bool_, {1}),
                     literal<std::uint8_t>(DType::bool_, {0}), {1.0, 10.0}));
}

TEST(Tolerance, WideIntegersAreComparedBeyondWhatADoubleHolds) {
  const auto ints = [](std::int64_t value) { return literal<std::int64_t>(DType::int64, {value}); };
  EXPECT_TRUE(equal(ints(1LL << 60), ints(1LL << 60)));
  EXPECT_FALSE(equal(ints((1LL << 60) + 1), ints(1LL << 60)));
}

TEST(Tolerance, QuantizationStepsAreForBytesAlone) {
  ToleranceOptions options;
  options.quantization_steps = 1;
  const auto bytes = [](DType dtype, int value) {
    return literal<std::uint8_t>(dtype, {static_cast<std::uint8_t>(value)});
  };
  EXPECT_FALSE(equal(bytes(DType::uint8, 7), bytes(DType::uint8, 8)));
  EXPECT_TRUE(equal(bytes(DType::uint8, 7), bytes(DType::uint8, 8), options));
  EXPECT_FALSE(equal(bytes(DType::uint8, 6), bytes(DType::uint8, 8), options));
  EXPECT_TRUE(equal(bytes(DType::int8, 0), bytes(DType::int8, 255), options));
  EXPECT_FALSE(equal(bytes(DType::bool_, 0), bytes(DType::bool_, 1), options));
}

TEST(Tolerance, HalvesOfAByteIgnoreWhatLiesBehindTheLast) {
  Literal a(DType::uint4, {3});
  Literal b(DType::uint4, {3});
  a.mutable_bytes()[1] = std::byte{0xf2};
  b.mutable_bytes()[1] = std::byte{0x02};
  EXPECT_TRUE(equal(a, b));
  b.mutable_bytes()[1] = std::byte{0x03};
  EXPECT_FALSE(equal(a, b));
}

TEST(Tolerance, DtypeAndShapeMustAgree) {
  EXPECT_EQ(compare(floats({1}), literal<double>(DType::float64, {1}), {}).difference,
            "is float32, expected float64");
  EXPECT_EQ(compare(Literal(DType::int8, {2, 3}), Literal(DType::int8, {6}), {}).difference,
            "has shape 2x3, expected 6");
  EXPECT_EQ(compare(Literal(DType::int8, {}), Literal(DType::int8, {1}), {}).difference,
            "has shape scalar, expected 1");
}

TEST(Tolerance, TellsWhatDiffersMost) {
  const Literal got = Literal::of<float>(DType::float32, {2, 2}, std::vector<float>{1, 2, 3.5F, 9});
  const Literal want = Literal::of<float>(DType::float32, {2, 2}, std::vector<float>{1, 2, 3, 4});
  const Comparison comparison = compare(got, want, {});
  EXPECT_EQ(comparison.difference, "differs in 2 of 4 elements, most at [1, 1]: 9, expected 4");
  EXPECT_EQ(comparison.max_error, 5);
}

TEST(Tolerance, TheLargestErrorIsToldOfWhatPasses) {
  EXPECT_EQ(compare(floats({1, 2.0009765625F}), floats({1, 2}), {}).max_error, 0.0009765625);
  EXPECT_EQ(compare(floats({1}), floats({1}), {}).max_error, 0);
  EXPECT_TRUE(std::isinf(compare(floats({kNan}), floats({1}), {}).max_error));
}

TEST(Tolerance, TextIsEqualOrNot) {
  EXPECT_TRUE(equal(Literal({2}, {"a", "b"}), Literal({2}, {"a", "b"})));
  EXPECT_EQ(compare(Literal({2}, {"a", "x"}), Literal({2}, {"a", "b"}), {}).difference,
            "differs at [1]: 'x', expected 'b'");
}

TEST(Tolerance, NothingEqualsNothing) {
  EXPECT_TRUE(equal(floats({}), floats({})));
  EXPECT_FALSE(equal(Literal(DType::float32, {0, 2}), Literal(DType::float32, {2, 0})));
}

}  // namespace
}  // namespace switchyard::cli
