#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

// Some of them from the end.
template <typename I>
std::vector<I> indices_below(int64_t extent, int64_t count, unsigned seed = 1) {
  std::vector<I> made = below<I>(extent, count, seed);
  for (size_t i = 0; i < made.size(); i += 3) made[i] = static_cast<I>(made[i] - extent);
  return made;
}

int64_t counted(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

template <typename T>
class GatherOf : public testing::Test {};
using GatherTypes = testing::Types<float, half, uint8_t, int32_t, int64_t>;
TYPED_TEST_SUITE(GatherOf, GatherTypes);

TYPED_TEST(GatherOf, Slices) {
  const Shape shape{2, 5, 3}, index_shape{2, 2};
  const auto x = wild<TypeParam>(30);
  const auto indices = indices_below<int64_t>(5, 4);
  const Shape result{2, 2, 2, 3};
  Case("Gather")
      .attribute("axis", 1)
      .input(shape, x)
      .input(index_shape, indices)
      .expect(result, made_by<TypeParam>(result, [&](const Shape& at) {
                const int64_t index = indices[flat(index_shape, {at[1], at[2]})];
                return x[flat(shape, {at[0], counted(index, 5), at[3]})];
              }));
}

TYPED_TEST(GatherOf, Elements) {
  const Shape shape{3, 5, 4}, result{2, 7, 4};
  const auto x = wild<TypeParam>(60);
  const auto indices = indices_below<int32_t>(5, count_of(result));
  Case("GatherElements")
      .attribute("axis", -2)
      .input(shape, x)
      .input(result, indices)
      .expect(result, made_by<TypeParam>(result, [&](const Shape& at) {
                return x[flat(shape, {at[0], counted(indices[flat(result, at)], 5), at[2]})];
              }));
}

TYPED_TEST(GatherOf, Tuples) {
  const Shape shape{3, 2, 4, 3}, index_shape{3, 5, 2}, result{3, 5, 3};
  const auto x = wild<TypeParam>(count_of(shape));
  auto indices = below<int64_t>(2, count_of(index_shape));
  for (size_t i = 1; i < indices.size(); i += 4) indices[i] -= 4;  // of the axis of 4
  Case("GatherND")
      .attribute("batch_dims", 1)
      .input(shape, x)
      .input(index_shape, indices)
      .expect(result, made_by<TypeParam>(result, [&](const Shape& at) {
                const int64_t first = indices[flat(index_shape, {at[0], at[1], 0})];
                const int64_t second = indices[flat(index_shape, {at[0], at[1], 1})];
                return x[flat(shape, {at[0], counted(first, 2), counted(second, 4), at[2]})];
              }));
}

TEST(Gather, WholeTuples) {
  const auto x = numbers<float>(6);
  Case("GatherND")
      .attribute("batch_dims", 0)
      .input<float>({2, 3}, x)
      .input<int64_t>({2, 2}, {1, -1, 0, 1})
      .expect<float>({2}, {x[5], x[1]});
}

TEST(Gather, TuplesOfNoIndices) {
  const auto x = numbers<float>(3);
  Case("GatherND")
      .attribute("batch_dims", 0)
      .input<float>({3}, x)
      .input<int64_t>({2, 0}, {})
      .expect<float>({2, 3}, {x[0], x[1], x[2], x[0], x[1], x[2]});
}

TEST(Gather, RepeatedElements) {
  const View view = runtime_tests::repeated({4, 3}, {0});
  Case("GatherElements")
      .attribute("axis", 0)
      .input_in<float>(view, {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3})
      .input<int64_t>({2, 3}, {0, 3, 1, 2, 2, 0})
      .expect<float>({2, 3}, {1, 2, 3, 1, 2, 3});
}

TEST(Gather, IndicesOutOfRange) {
  for (const char* op : {"Gather", "GatherElements"}) {
    EXPECT_EQ(Case(op)
                  .attribute("axis", 0)
                  .input<float>({3}, {1, 2, 3})
                  .input<int64_t>({2}, {0, 3})
                  .output<float>({2}, Floats(2))
                  .failure()
                  .status(),
              SY_INVALID);
  }
  EXPECT_EQ(Case("GatherND")
                .attribute("batch_dims", 0)
                .input<float>({3}, {1, 2, 3})
                .input<int64_t>({1, 1}, {-4})
                .output<float>({1}, Floats(1))
                .failure()
                .status(),
            SY_INVALID);
}

TEST(Gather, FromNoElements) {
  for (const char* op : {"Gather", "GatherElements"}) {
    EXPECT_EQ(Case(op)
                  .attribute("axis", 0)
                  .input<float>({0}, {})
                  .input<int64_t>({1}, {0})
                  .output<float>({1}, {0})
                  .failure()
                  .status(),
              SY_INVALID);
    Case(op).attribute("axis", 0).input<float>({0}, {}).input<int64_t>({0}, {}).expect<float>({0},
                                                                                              {});
  }
}

TEST(Gather, RefusesIndicesThatAreLargerElsewhere) {
  EXPECT_EQ(Case("GatherElements")
                .attribute("axis", 0)
                .input<float>({2, 2}, Floats(4))
                .input<int64_t>({1, 3}, {0, 0, 0})
                .output<float>({1, 3}, Floats(3))
                .failure()
                .status(),
            SY_INVALID);
}

}  // namespace
}  // namespace mps::op_tests
