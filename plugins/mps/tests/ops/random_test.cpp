// Random numbers against Philox4x32-10 as its authors publish it, and the formulas in double.
#include <gtest/gtest.h>

#include <bit>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"
#include "ops/philox.hpp"

namespace mps::op_tests {
namespace {

uint64_t key_of(float seed) { return std::bit_cast<uint32_t>(seed); }

TEST(Philox, IsItsAuthors) {
  EXPECT_EQ(philox(0, 0), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

template <typename T>
class RandomOf : public testing::Test {};
TYPED_TEST_SUITE(RandomOf, FloatAndHalf);

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
