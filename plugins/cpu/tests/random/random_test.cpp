#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "harness/harness.hpp"
#include "kernels/random/philox.hpp"

namespace cpu::testing {
namespace {

constexpr uint64_t key_of_one = 0x3f800000;  // the seed 1.0

Value draw(const char* op, sy_dtype dtype, const Shape& shape, double seed = 1) {
  return OneNode(op).attribute("seed", seed).output(dtype, shape).run();
}

TEST(Philox, TheAuthorsOwnVectors) {
  EXPECT_EQ(philox(0, 0), (PhiloxBlock{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(RandomUniform, EachElementFollowsFromSeedAndPosition) {
  const auto got = numbers<float>(draw("RandomUniform", SY_FLOAT32, {10'003}));
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(got[i], static_cast<float>(philox(i / 4, key_of_one)[i % 4] >> 8) * 0x1p-24f);
  }
  EXPECT_EQ(numbers<float>(draw("RandomUniform", SY_FLOAT32, {3})),
            std::vector<float>(got.begin(), got.begin() + 3));
  EXPECT_NE(numbers<float>(draw("RandomUniform", SY_FLOAT32, {3}, 2)),
            std::vector<float>(got.begin(), got.begin() + 3));
}

TEST(RandomUniform, RangeMeanAndEveryType) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const Value output = OneNode("RandomUniform")
                             .attribute("seed", 5.0)
                             .attribute("low", -2.0)
                             .attribute("high", 4.0)
                             .output(dtype, {100, 200}, {1, 100})
                             .run();
    double sum = 0;
    for (const double number : as_doubles(output)) {
      EXPECT_GE(number, -2);
      EXPECT_LE(number, 4);
      sum += number;
    }
    EXPECT_NEAR(sum / 20'000, 1, 0.05);
  }
}

TEST(RandomNormal, MomentsAndPositions) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const auto got = as_doubles(OneNode("RandomNormal")
                                    .attribute("seed", 1.0)
                                    .attribute("mean", 3.0)
                                    .attribute("scale", 2.0)
                                    .output(dtype, {40'001})
                                    .run());
    double sum = 0, squares = 0;
    for (const double number : got) {
      sum += number;
      squares += (number - 3) * (number - 3);
    }
    EXPECT_NEAR(sum / 40'001, 3, 0.05);
    EXPECT_NEAR(squares / 40'001, 4, 0.1);
  }
  const PhiloxBlock block = philox(7, key_of_one);
  const double radius = std::sqrt(-2 * std::log(1 - uniform_double(block[0], block[1])));
  const double angle = 2 * std::numbers::pi * uniform_double(block[2], block[3]);
  const auto got = as_doubles(draw("RandomNormal", SY_FLOAT64, {16}));
  EXPECT_NEAR(got[14], 0, 6);
  const auto plain = as_doubles(OneNode("RandomNormal")
                                    .attribute("seed", 1.0)
                                    .attribute("mean", 0.0)
                                    .attribute("scale", 1.0)
                                    .output(SY_FLOAT64, {16})
                                    .run());
  EXPECT_NEAR(plain[14], radius * std::cos(angle), 1e-12);
  EXPECT_NEAR(plain[15], radius * std::sin(angle), 1e-12);
}

TEST(RandomLike, TakesAnyInputAndWithoutASeedDiffers) {
  const Value like = packed_integers(SY_INT4, {8}, std::vector<int>(8, 0));
  const Value first = OneNode("RandomUniformLike").input(like).output(SY_FLOAT32, {8}).run();
  const Value second = OneNode("RandomUniformLike").input(like).output(SY_FLOAT32, {8}).run();
  EXPECT_NE(numbers<float>(first), numbers<float>(second));
  const Value normal =
      OneNode("RandomNormalLike").attribute("seed", 1.0).input(like).output(SY_FLOAT32, {8}).run();
  EXPECT_EQ(numbers<float>(normal), numbers<float>(draw("RandomNormal", SY_FLOAT32, {8})));
}

TEST(Bernoulli, FollowsItsProbabilities) {
  const auto count = int64_t{30'000};
  std::vector<double> probability;
  for (int64_t i = 0; i < count; ++i) probability.push_back(i % 3 * 0.5);
  for (const sy_dtype to : {SY_BOOL, SY_FLOAT32, SY_INT64}) {
    const auto got = as_doubles(OneNode("Bernoulli")
                                    .attribute("seed", 3.0)
                                    .input(from_doubles(SY_FLOAT32, {count}, probability))
                                    .output(to, {count})
                                    .run());
    double halves = 0;
    for (size_t i = 0; i < got.size(); ++i) {
      if (i % 3 == 0) {
        ASSERT_EQ(got[i], 0);
      }
      if (i % 3 == 2) {
        ASSERT_EQ(got[i], 1);
      }
      if (i % 3 == 1) halves += got[i];
    }
    EXPECT_NEAR(halves / 10'000, 0.5, 0.02);
  }
}

TEST(Multinomial, FollowsItsLogits) {
  const Value logits = value<float>(
      {2, 3}, {std::log(0.2f), std::log(0.5f), std::log(0.3f), -INFINITY, 5, -INFINITY});
  const auto got = numbers<int32_t>(OneNode("Multinomial")
                                        .attribute("seed", 1.0)
                                        .attribute("sample_size", 20'000)
                                        .input(logits)
                                        .output(SY_INT32, {2, 20'000})
                                        .run());
  std::array<double, 3> share{};
  for (int i = 0; i < 20'000; ++i) {
    share[got[i]] += 1 / 20'000.0;
    ASSERT_EQ(got[20'000 + i], 1);
  }
  EXPECT_NEAR(share[0], 0.2, 0.02);
  EXPECT_NEAR(share[1], 0.5, 0.02);
  EXPECT_NEAR(share[2], 0.3, 0.02);
}

}  // namespace
}  // namespace cpu::testing
