#include <gtest/gtest.h>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class ConcatOf : public testing::Test {};
using ConcatTypes = testing::Types<float, half, uint8_t, int64_t>;
TYPED_TEST_SUITE(ConcatOf, ConcatTypes);

// Some of them without elements; in all layouts, no two alike.
template <typename T>
void expect_joined(const Shape& shape, size_t axis, const std::vector<int64_t>& extents) {
  Case joined("Concat", 13);
  joined.attribute("axis", static_cast<int64_t>(axis));
  std::vector<Shape> shapes;
  std::vector<std::vector<T>> all;
  std::vector<std::pair<size_t, int64_t>> origin;  // which input, and where in it
  for (size_t i = 0; i < extents.size(); ++i) {
    shapes.push_back(shape);
    shapes.back()[axis] = extents[i];
    all.push_back(wild<T>(count_of(shapes.back()), static_cast<unsigned>(i)));
    joined.input(shapes.back(), all.back());
    for (int64_t position = 0; position < extents[i]; ++position) origin.emplace_back(i, position);
  }
  Shape result = shape;
  result[axis] = static_cast<int64_t>(origin.size());
  joined.expect(result, made_by<T>(result, [&](Shape at) {
                  const auto [input, position] = origin[static_cast<size_t>(at[axis])];
                  at[axis] = position;
                  return all[input][flat(shapes[input], at)];
                }));
}

TYPED_TEST(ConcatOf, ViewsOnEachAxis) {
  for (const Shape& shape : {Shape{5}, Shape{3, 4}, Shape{2, 3, 2, 2, 3}}) {
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      expect_joined<TypeParam>(shape, axis, {2, 4, 1});
      expect_joined<TypeParam>(shape, axis, {0, 3, 0, 2});
      expect_joined<TypeParam>(shape, axis, {3});
    }
  }
}

TEST(Concat, OfManyAndOfNothing) {
  expect_joined<float>({2, 3}, 1, std::vector<int64_t>(40, 2));
  expect_joined<float>({2, 3}, 0, {0, 0});
  expect_joined<float>({0, 3}, 1, {2, 1});
}

// Each part lies elsewhere in one tensor; one is repeated.
TEST(Concat, OfRepeatedElements) {
  Case("Concat", 13)
      .attribute("axis", 1)
      .input_in<float>(runtime_tests::repeated({2, 3}, {1}), {5, 5, 5, 6, 6, 6})
      .input<float>({2, 1}, {1, 2})
      .expect<float>({2, 4}, {5, 5, 5, 1, 6, 6, 6, 2});
}

}  // namespace
}  // namespace mps::op_tests
