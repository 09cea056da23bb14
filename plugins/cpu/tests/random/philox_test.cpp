// Random numbers as functions of seed and offset.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "kernels/random/philox.hpp"

namespace cpu::testing {
namespace {

Value scalar(int64_t number) { return value<int64_t>({}, {number}); }

OneNode philox_node(const char* op, const Shape& shape, int64_t seed, int64_t offset) {
  OneNode node(op, 1, switchyard_domain);
  node.host_input(integers(shape)).input(scalar(seed)).input(scalar(offset));
  return node;
}

constexpr int64_t seed = -7'000'000'000'000'000'001;  // a key of 64 bits
constexpr auto key = static_cast<uint64_t>(seed);

TEST(PhiloxUniform, EachElementFollowsFromSeedOffsetAndPosition) {
  for (const int64_t offset : {int64_t{0}, int64_t{5} << 40, int64_t{-2}}) {
    const auto first = static_cast<uint64_t>(offset);
    const auto floats = numbers<float>(
        philox_node("PhiloxUniform", {10'003}, seed, offset).output(SY_FLOAT32, {10'003}).run());
    for (size_t i = 0; i < floats.size(); ++i) {
      ASSERT_EQ(floats[i], uniform_float(philox(first + i / 4, key)[i % 4]));
    }
    const auto doubles = numbers<double>(
        philox_node("PhiloxUniform", {1'001}, seed, offset).output(SY_FLOAT64, {1'001}).run());
    for (size_t i = 0; i < doubles.size(); ++i) {
      const PhiloxBlock block = philox(first + i / 2, key);
      const size_t half = i % 2 * 2;
      ASSERT_EQ(doubles[i], uniform_double(block[half], block[half + 1]));
    }
  }
}

TEST(PhiloxUniform, IsWhatRandomUniformGivesForTheSameKey) {
  const auto expected =
      OneNode("RandomUniform").attribute("seed", 1.0).output(SY_FLOAT32, {77}).run();
  const auto got = philox_node("PhiloxUniform", {77}, 0x3f800000, 0).output(SY_FLOAT32, {77}).run();
  EXPECT_EQ(numbers<float>(got), numbers<float>(expected));
}

TEST(PhiloxUniform, AnOffsetGoesOnWhereBlocksEnd) {
  const auto whole =
      numbers<float>(philox_node("PhiloxUniform", {400}, seed, 9).output(SY_FLOAT32, {400}).run());
  const auto rest = numbers<float>(
      philox_node("PhiloxUniform", {200}, seed, 9 + 50).output(SY_FLOAT32, {200}).run());
  EXPECT_EQ(rest, std::vector<float>(whole.begin() + 200, whole.end()));
}

TEST(PhiloxUniform, RangesTypesAndLayouts) {
  const auto expected = as_doubles(philox_node("PhiloxUniform", {30, 20}, 3, 4)
                                       .attribute("low", -2.0)
                                       .attribute("high", 4.0)
                                       .output(SY_FLOAT32, {30, 20})
                                       .run());
  double sum = 0;
  for (const double number : expected) sum += number;
  EXPECT_NEAR(sum / 600, 1, 0.3);
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT16, SY_BFLOAT16}) {
    OneNode node = philox_node("PhiloxUniform", {30, 20}, 3, 4);
    node.attribute("low", -2.0).attribute("high", 4.0).output(dtype, {30, 20}, {1, 30});
    expect_near(node.run(), expected, 0.51);
  }
  EXPECT_EQ(philox_node("PhiloxUniform", {3, 0}, 3, 4).output(SY_FLOAT32, {3, 0}).run().size(), 0);
}

TEST(PhiloxNormal, MomentsAndPositions) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    OneNode node = philox_node("PhiloxNormal", {40'001}, 11, 100);
    node.attribute("mean", 3.0).attribute("scale", 2.0).output(dtype, {40'001});
    double sum = 0, squares = 0;
    for (const double number : as_doubles(node.run())) {
      sum += number;
      squares += (number - 3) * (number - 3);
    }
    EXPECT_NEAR(sum / 40'001, 3, 0.05);
    EXPECT_NEAR(squares / 40'001, 4, 0.1);
  }
  const PhiloxBlock block = philox(100 + 7, key);
  const double radius = std::sqrt(-2 * std::log(1 - uniform_double(block[0], block[1])));
  const double angle = 2 * std::numbers::pi * uniform_double(block[2], block[3]);
  const auto got =
      as_doubles(philox_node("PhiloxNormal", {16}, seed, 100).output(SY_FLOAT64, {16}).run());
  EXPECT_NEAR(got[14], radius * std::cos(angle), 1e-12);
  EXPECT_NEAR(got[15], radius * std::sin(angle), 1e-12);
}

OneNode integers_between(int64_t low, int64_t high, const Shape& shape) {
  OneNode node = philox_node("PhiloxInteger", shape, seed, 3);
  node.input(scalar(low)).input(scalar(high));
  return node;
}

TEST(PhiloxInteger, EveryNumberOfTheRangeAndNoOther) {
  const auto got =
      numbers<int64_t>(integers_between(-2, 5, {70'000}).output(SY_INT64, {70'000}).run());
  std::array<int, 7> seen{};
  for (const int64_t number : got) {
    ASSERT_GE(number, -2);
    ASSERT_LT(number, 5);
    ++seen[static_cast<size_t>(number + 2)];
  }
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 400);
  EXPECT_EQ(as_doubles(integers_between(-2, 5, {50}).output(SY_INT8, {50}).run()),
            as_doubles(integers_between(-2, 5, {50}).output(SY_INT32, {50}, {2}).run()));
}

TEST(PhiloxInteger, TheUpperHalfOfAProduct) {
  const auto got = numbers<int64_t>(
      integers_between(10, 10 + (int64_t{1} << 32), {20}).output(SY_INT64, {20}).run());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], 10 + int64_t{philox(3 + i / 2, key)[i % 2 * 2 + 1]});  // the upper 32 bits
  }
  const auto least = std::numeric_limits<int64_t>::min();
  const auto most = std::numeric_limits<int64_t>::max();
  const auto wide =
      numbers<int64_t>(integers_between(least, most, {20}).output(SY_INT64, {20}).run());
  int negative = 0;
  for (const int64_t number : wide) negative += number < 0 ? 1 : 0;
  EXPECT_GT(negative, 2);
  EXPECT_LT(negative, 18);
}

TEST(PhiloxInteger, RefusesAnEmptyRange) {
  EXPECT_THROW(integers_between(5, 5, {2}).output(SY_INT64, {2}).run(), sy::Failure);
  EXPECT_THROW(integers_between(6, 5, {2}).output(SY_INT64, {2}).run(), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
