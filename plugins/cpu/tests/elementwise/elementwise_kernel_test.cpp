#include "loops/elementwise_kernel.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "harness/harness.hpp"

namespace cpu {
namespace {

using testing::blank;
using testing::numbers;
using testing::OneNode;
using testing::Shape;
using testing::Value;
using testing::value;

using Floats = std::vector<float>;

Value counting(Shape shape, float first) {
  Floats elements(static_cast<size_t>(blank(SY_FLOAT32, shape).size()));
  std::iota(elements.begin(), elements.end(), first);
  return value<float>(std::move(shape), elements);
}

Floats sum(const Value& left, const Value& right, Shape shape) {
  return numbers<float>(
      OneNode("Add").input(left).input(right).output(SY_FLOAT32, std::move(shape)).run());
}

TEST(ElementwiseKernel, AddsSmallDenseTensors) {
  EXPECT_EQ(sum(counting({2, 2}, 1), counting({2, 2}, 10), {2, 2}), (Floats{11, 13, 15, 17}));
  EXPECT_EQ(sum(value<float>({}, {2}), value<float>({}, {3}), {}), (Floats{5}));
  EXPECT_EQ(sum(counting({0, 3}, 0), counting({0, 3}, 0), {0, 3}), Floats{});
}

TEST(ElementwiseKernel, RepeatsASingleElement) {
  const Value many = counting({3}, 1);
  for (const Shape& shape : {Shape{}, Shape{1}}) {
    EXPECT_EQ(sum(many, value<float>(shape, {10}), {3}), (Floats{11, 12, 13}));
    EXPECT_EQ(sum(value<float>(shape, {10}), many, {3}), (Floats{11, 12, 13}));
  }
  EXPECT_EQ(numbers<float>(OneNode("Sub")
                               .input(many)
                               .immediate(value<float>({}, {1}))
                               .output(SY_FLOAT32, {3})
                               .run()),
            (Floats{0, 1, 2}));
}

// Neither of the output's shape nor a single element: a walk decides.
TEST(ElementwiseKernel, LeavesTheRestToTheWalk) {
  EXPECT_EQ(sum(counting({2, 1}, 0), counting({1, 2}, 10), {2, 2}), (Floats{10, 11, 11, 12}));
  const Value turned = testing::transposed(counting({2, 2}, 1), {1, 0});
  EXPECT_EQ(sum(turned, counting({2, 2}, 0), {2, 2}), (Floats{1, 3, 5, 7}));
  const Value spread = testing::spaced(counting({3}, 1));
  EXPECT_EQ(sum(spread, spread, {3}), (Floats{2, 4, 6}));
  EXPECT_THROW(sum(counting({3}, 0), counting({2}, 0), {3}), sy::Failure);
}

TEST(ElementwiseKernel, GivesTheSameAboveAndBelowAThreadsWorth) {
  const int64_t size = 2 * cheap_grain + 3;
  const Floats large = sum(counting({size}, 0), value<float>({1}, {1}), {size});
  for (const int64_t i : {int64_t{0}, cheap_grain - 1, cheap_grain, size - 1}) {
    const auto index = static_cast<size_t>(i);
    EXPECT_EQ(Floats{large[index]},
              sum(counting({1}, static_cast<float>(i)), counting({1}, 1), {1}));
  }
}

// CastLike's second input gives a type alone.
TEST(ElementwiseKernel, ReadsOnlyTheInputsThatItIsMadeFor) {
  const Value made = OneNode("CastLike")
                         .input(counting({3}, 1))
                         .input(value<int64_t>({2}, {7, 7}))
                         .output(SY_INT64, {3})
                         .run();
  EXPECT_EQ(numbers<int64_t>(made), (std::vector<int64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace cpu
