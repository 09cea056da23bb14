#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class RearrangementOf : public testing::Test {};
using RearrangementTypes = testing::Types<float, half, uint8_t, int16_t, int64_t>;
TYPED_TEST_SUITE(RearrangementOf, RearrangementTypes);

TYPED_TEST(RearrangementOf, Tiles) {
  const Shape shape{2, 1, 3};
  const auto x = wild<TypeParam>(6);
  for (const Numbers& repeats : {Numbers{1, 1, 1}, Numbers{3, 1, 2}, Numbers{2, 4, 1}}) {
    const Shape tiled{2 * repeats[0], repeats[1], 3 * repeats[2]};
    Case("Tile")
        .input(shape, x)
        .template host<int64_t>({3}, repeats)
        .expect(tiled, made_by<TypeParam>(tiled, [&](Shape index) {
                  for (size_t i = 0; i < 3; ++i) index[i] %= shape[i];
                  return x[flat(shape, index)];
                }));
  }
}

TYPED_TEST(RearrangementOf, DepthToSpace) {
  const Shape deep{2, 12, 2, 3}, wide{2, 3, 4, 6};
  const auto x = wild<TypeParam>(count_of(deep));
  for (const bool block_first : {true, false}) {
    Case("DepthToSpace")
        .attribute("blocksize", 2)
        .attribute("mode", block_first ? "DCR" : "CRD")
        .input(deep, x)
        .expect(wide, made_by<TypeParam>(wide, [&](const Shape& at) {
                  const int64_t block = at[2] % 2 * 2 + at[3] % 2;
                  const int64_t channel = block_first ? block * 3 + at[1] : at[1] * 4 + block;
                  return x[flat(deep, {at[0], channel, at[2] / 2, at[3] / 2})];
                }));
  }
}

TYPED_TEST(RearrangementOf, SpaceToDepth) {
  const Shape wide{2, 3, 6, 3}, deep{2, 27, 2, 1};
  const auto x = wild<TypeParam>(count_of(wide));
  Case("SpaceToDepth")
      .attribute("blocksize", 3)
      .input(wide, x)
      .expect(
          deep, made_by<TypeParam>(deep, [&](const Shape& at) {
            const int64_t block = at[1] / 3;
            return x[flat(wide, {at[0], at[1] % 3, at[2] * 3 + block / 3, at[3] * 3 + block % 3})];
          }));
}

TEST(Rearrangement, TilesRepeatedElements) {
  const View view = runtime_tests::repeated({2, 3}, {1});
  Case("Tile")
      .input_in<float>(view, {1, 1, 1, 2, 2, 2})
      .host<int64_t>({2}, {2, 1})
      .expect<float>({4, 3}, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
}

TEST(Rearrangement, OfNoElements) {
  Case("Tile").input<float>({0, 3}, {}).host<int64_t>({2}, {2, 2}).expect<float>({0, 6}, {});
  Case("Tile").input<float>({2}, {1, 2}).host<int64_t>({1}, {0}).expect<float>({0}, {});
}

TEST(Rearrangement, RefusesOtherModesAndTypes) {
  EXPECT_EQ(Case("DepthToSpace")
                .attribute("blocksize", 1)
                .attribute("mode", "RCD")
                .input<float>({1, 1, 1, 1}, {1})
                .output<float>({1, 1, 1, 1}, {1})
                .failure()
                .reason(),
            SY_REASON_ATTRIBUTE);
  EXPECT_EQ(Case("Tile")
                .input<double>({1}, {1})
                .host<int64_t>({1}, {1})
                .output<double>({1}, {1})
                .failure()
                .reason(),
            SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
