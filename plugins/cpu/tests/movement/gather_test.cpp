// Gather reads data and indices of any strides.
#include <gtest/gtest.h>

#include <numeric>

#include "harness/harness.hpp"
#include "harness/layouts.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

Value counting(sy_dtype dtype, const Shape& shape, int64_t count) {
  Numbers elements(static_cast<size_t>(count));
  std::iota(elements.begin(), elements.end(), 0);
  return from_doubles(dtype, shape, elements);
}

Value gather(const Value& data, int64_t axis, const Value& indices, const Shape& shape) {
  return OneNode("Gather", 13)
      .attribute("axis", axis)
      .input(data)
      .input(indices)
      .output(data.dtype, shape)
      .run();
}

TEST(Gather, TakesOneSliceOfAnyLayout) {
  for (const sy_dtype dtype : {SY_FLOAT32, SY_INT8, SY_FLOAT16, SY_FLOAT64}) {
    for (const Value& data : layouts_of(counting(dtype, {2, 3, 4}, 24))) {
      const Value last = value<int64_t>({}, {-1});
      EXPECT_EQ(as_doubles(gather(data, 0, last, {3, 4})),
                (Numbers{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}));
      EXPECT_EQ(as_doubles(gather(data, 1, last, {2, 4})), (Numbers{8, 9, 10, 11, 20, 21, 22, 23}));
      EXPECT_EQ(as_doubles(gather(data, -1, value<int32_t>({1}, {1}), {2, 3, 1})),
                (Numbers{1, 5, 9, 13, 17, 21}));
    }
  }
}

TEST(Gather, TakesSeveralSmallSlicesByIndicesOfAnyLayout) {
  const Value indices = value<int64_t>({2, 2}, {2, -3, 1, 1});
  for (const Value& data : layouts_of(counting(SY_FLOAT32, {2, 3, 2}, 12))) {
    for (const Value& chosen : layouts_of(indices)) {
      EXPECT_EQ(as_doubles(gather(data, 1, chosen, {2, 2, 2, 2})),
                (Numbers{4, 5, 0, 1, 2, 3, 2, 3, 10, 11, 6, 7, 8, 9, 8, 9}));
    }
  }
}

TEST(Gather, TakesSeveralLargeSlicesOfAnyLayout) {
  constexpr int64_t inner = 3000;
  const Value contiguous = counting(SY_FLOAT32, {2, 4, inner}, 8 * inner);
  const Value indices = value<int64_t>({3}, {3, 0, -2});
  const Numbers expected = as_doubles(gather(contiguous, 1, indices, {2, 3, inner}));
  EXPECT_EQ(expected[0], 3 * inner);
  EXPECT_EQ(expected[static_cast<size_t>(5 * inner)], 6 * inner);
  for (const Value& data : layouts_of(contiguous)) {
    EXPECT_EQ(as_doubles(gather(data, 1, indices, {2, 3, inner})), expected);
  }
}

TEST(Gather, RefusesIndicesOutsideEvenWhereNothingIsTaken) {
  for (const Value& data : layouts_of(counting(SY_FLOAT32, {2, 3}, 6))) {
    EXPECT_THROW(gather(data, 0, value<int64_t>({}, {2}), {3}), sy::Failure);
    EXPECT_THROW(gather(data, 1, value<int64_t>({1}, {-4}), {2, 1}), sy::Failure);
  }
  EXPECT_THROW(gather(blank(SY_FLOAT32, {2, 0}), 0, value<int64_t>({}, {2}), {0}), sy::Failure);
}

TEST(Gather, OfNoIndicesOrNoElementsIsEmpty) {
  EXPECT_EQ(gather(blank(SY_FLOAT32, {2, 3}), 1, value<int64_t>({0}, {}), {2, 0}).size(), 0);
  EXPECT_EQ(gather(blank(SY_FLOAT32, {2, 0, 3}), 0, value<int64_t>({}, {1}), {0, 3}).size(), 0);
}

}  // namespace
}  // namespace cpu::testing
