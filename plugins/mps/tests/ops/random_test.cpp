// Random numbers against Philox4x32-10 as its authors publish it, and the formulas in double.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <numbers>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

using Block = std::array<uint32_t, 4>;

Block philox(uint64_t counter, uint64_t key) {
  Block x = {static_cast<uint32_t>(counter), static_cast<uint32_t>(counter >> 32), 0, 0};
  uint32_t keys[2] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53} * x[0], b = uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<uint32_t>(b >> 32) ^ x[1] ^ keys[0], static_cast<uint32_t>(b),
         static_cast<uint32_t>(a >> 32) ^ x[3] ^ keys[1], static_cast<uint32_t>(a)};
    keys[0] += 0x9E3779B9;
    keys[1] += 0xBB67AE85;
  }
  return x;
}

uint64_t key_of(float seed) { return std::bit_cast<uint32_t>(seed); }

float uniform(size_t i, uint64_t key) {
  return static_cast<float>(philox(i / 4, key)[i % 4] >> 8) * 0x1p-24f;
}

double fraction(uint32_t low, uint32_t high) {
  return static_cast<double>((uint64_t{high} << 32 | low) >> 11) * 0x1p-53;
}

double normal(size_t i, uint64_t key) {
  const Block block = philox(i / 2, key);
  const double radius = std::sqrt(-2 * std::log1p(-fraction(block[0], block[1])));
  const double angle = 2 * std::numbers::pi * fraction(block[2], block[3]);
  return radius * (i % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

template <typename T, typename Make>
std::vector<T> elements(int64_t count, Make&& make) {
  std::vector<T> made;
  for (int64_t i = 0; i < count; ++i) {
    made.push_back(static_cast<T>(make(static_cast<size_t>(i))));
  }
  return made;
}

TEST(Philox, IsItsAuthors) {
  EXPECT_EQ(philox(0, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

template <typename T>
class RandomOf : public testing::Test {};
using Floating = testing::Types<float, half>;
TYPED_TEST_SUITE(RandomOf, Floating);

// Bit by bit.
TYPED_TEST(RandomOf, UniformNumbers) {
  for (const int64_t count : {1, 4, 7, 1001}) {
    Case("RandomUniform")
        .attribute("seed", 1.0)
        .expect({count},
                elements<TypeParam>(count, [](size_t i) { return uniform(i, key_of(1.0f)); }));
  }
  const auto expected = elements<TypeParam>(
      30, [](size_t i) { return uniform(i, key_of(-7.25f)) * (4.1f - -2.3f) + -2.3f; });
  Case("RandomUniform")
      .attribute("seed", -7.25)
      .attribute("low", -2.3)
      .attribute("high", 4.1)
      .expect({2, 3, 5}, expected);
}

TYPED_TEST(RandomOf, NormalNumbers) {
  for (const int64_t count : {1, 2, 5, 4001}) {
    Case("RandomNormal")
        .attribute("seed", 3.0)
        .expect({count},
                elements<TypeParam>(count, [](size_t i) { return normal(i, key_of(3.0f)); }),
                sizeof(TypeParam) == 4 ? 5e-7 : 1e-3);
  }
  Case("RandomNormal")
      .attribute("seed", 3.0)
      .attribute("mean", 5.0)
      .attribute("scale", 0.5)
      .expect({3, 4},
              elements<TypeParam>(12, [](size_t i) { return 5 + normal(i, key_of(3.0f)) / 2; }),
              sizeof(TypeParam) == 4 ? 5e-7 : 1e-3);
}

// The input gives no more than a shape.
TYPED_TEST(RandomOf, LikeAnother) {
  const std::vector<int64_t> other(6, 9);
  Case("RandomUniformLike")
      .attribute("seed", 1.0)
      .input({2, 3}, other)
      .expect({2, 3}, elements<TypeParam>(6, [](size_t i) { return uniform(i, key_of(1.0f)); }));
  Case("RandomNormalLike")
      .attribute("seed", 1.0)
      .input({2, 3}, other)
      .expect({2, 3}, elements<TypeParam>(6, [](size_t i) { return normal(i, key_of(1.0f)); }),
              sizeof(TypeParam) == 4 ? 5e-7 : 1e-3);
}

TYPED_TEST(RandomOf, Bernoulli) {
  auto chances =
      elements<TypeParam>(60, [](size_t i) { return static_cast<float>(i % 11) / 10.0f; });
  chances[5] = static_cast<TypeParam>(NAN);
  const auto comes = [&](size_t i) {
    return uniform(i, key_of(2.0f)) < static_cast<float>(chances[i]);
  };
  const Shape shape{3, 4, 5};
  Case("Bernoulli", 15)
      .attribute("seed", 2.0)
      .input(shape, chances)
      .expect(shape, elements<TypeParam>(60, [&](size_t i) { return comes(i) ? 1.0f : 0.0f; }));
  Case("Bernoulli", 15)
      .attribute("seed", 2.0)
      .input(shape, chances)
      .expect(shape, elements<Truth>(60, [&](size_t i) { return comes(i) ? 1 : 0; }));
  Case("Bernoulli", 15)
      .attribute("seed", 2.0)
      .input(shape, chances)
      .expect(shape, elements<int64_t>(60, [&](size_t i) { return comes(i) ? 1 : 0; }));
}

TEST(Random, NothingToDraw) {
  Case("RandomUniform").attribute("seed", 1.0).expect<float>({0, 3}, {});
  Case("RandomNormal")
      .attribute("seed", 1.0)
      .expect<float>({}, {static_cast<float>(normal(0, key_of(1.0f)))}, 5e-7);
}

}  // namespace
}  // namespace mps::op_tests
