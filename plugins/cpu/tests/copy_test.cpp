#include <gtest/gtest.h>

#include <numeric>

#include "harness.hpp"

namespace cpu::testing {
namespace {

template <typename T>
Value counting(Shape shape) {
  Value made = blank(sy::dtype_of<T>, shape);
  std::vector<T> elements(static_cast<size_t>(made.size()));
  std::iota(elements.begin(), elements.end(), T{0});
  return value<T>(std::move(shape), elements);
}

template <typename T>
void expect_copied(const Value& source, Value destination) {
  copy_through_plugin(source, destination);
  EXPECT_EQ(numbers<T>(source), numbers<T>(destination));
}

TEST(Copy, EveryLayoutToEveryOther) {
  const Value plain = counting<int32_t>({3, 4, 5});
  const std::vector<Value> layouts = {plain, transposed(plain, {2, 0, 1}), spaced(plain),
                                      reversed(plain)};
  for (const Value& from : layouts) {
    for (const Value& layout : layouts) {
      expect_copied<int32_t>(from, blank(SY_INT32, plain.shape, layout.strides, layout.offset));
    }
  }
}

TEST(Copy, BroadcastRankZeroAndZeroSize) {
  const Value row = value<float>({1, 3}, {1, 2, 3});
  expect_copied<float>(broadcast(row, {4, 3}), blank(SY_FLOAT32, {4, 3}));
  expect_copied<float>(value<float>({}, {7}), blank(SY_FLOAT32, {}));
  expect_copied<float>(value<float>({2, 0}, {}), blank(SY_FLOAT32, {2, 0}));
}

template <typename T>
void expect_big_transposes() {
  for (const Shape& shape : {Shape{1031, 517}, Shape{7, 211, 309}, Shape{3, 5, 129, 257}}) {
    const Value plain = counting<T>(shape);
    std::vector<size_t> order(shape.size());
    std::iota(order.rbegin(), order.rend(), size_t{0});
    const Value turned = transposed(plain, order);
    expect_copied<T>(turned, blank(plain.dtype, shape));
    expect_copied<T>(plain, blank(plain.dtype, shape, turned.strides));
  }
}

TEST(Copy, BigTransposesOfEverySize) {
  expect_big_transposes<uint8_t>();
  expect_big_transposes<int16_t>();
  expect_big_transposes<float>();
  expect_big_transposes<double>();
}

TEST(Copy, NibblesAreContiguousOnly) {
  const Value source = nibbles(SY_INT4, {5}, {1, -2, 3, -4, 5});
  Value destination = blank(SY_INT4, {5});
  copy_through_plugin(source, destination);
  EXPECT_EQ(nibbles_of(destination), nibbles_of(source));
}

}  // namespace
}  // namespace cpu::testing
