#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

// NaN is above all.
template <typename T>
bool is_below(T x, T y) {
  if (x != x) return false;
  return y != y || x < y;
}

template <typename T>
std::vector<int64_t> order_of(const std::vector<T>& line, bool largest) {
  std::vector<int64_t> order(line.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t k) {
    const T x = line[static_cast<size_t>(i)], y = line[static_cast<size_t>(k)];
    return largest ? is_below(y, x) : is_below(x, y);
  });
  return order;
}

template <typename T>
void check_top(const Shape& shape, const std::vector<T>& x, size_t axis, int64_t k, bool largest) {
  const auto positions = by_line<int64_t>(shape, x, axis, [&](const auto& line) {
    auto order = order_of(line, largest);
    order.resize(static_cast<size_t>(k));
    return order;
  });
  const auto values = by_line<T>(shape, x, axis, [&](const auto& line) {
    std::vector<T> made;
    for (const int64_t position : order_of(line, largest)) {
      made.push_back(line[static_cast<size_t>(position)]);
    }
    made.resize(static_cast<size_t>(k));
    return made;
  });
  Shape result = shape;
  result[axis] = k;
  Case("TopK", 11)
      .attribute("axis", static_cast<int64_t>(axis))
      .attribute("sorted", 1)
      .attribute("largest", largest ? 1 : 0)
      .input(shape, x)
      .template host<int64_t>({1}, {k})
      .output(result, values)
      .output(result, positions)
      .check();
}

template <typename T>
class TopOf : public testing::Test {};
using TopKTypes = testing::Types<float, half, int8_t, uint8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(TopOf, TopKTypes);

TYPED_TEST(TopOf, EachAxis) {
  const Shape shape{3, 7, 5};
  const auto x = wild<TypeParam>(105);
  for (const bool largest : {true, false}) {
    check_top(shape, x, 0, 2, largest);
    check_top(shape, x, 1, 7, largest);
    check_top(shape, x, 2, 1, largest);
  }
}

TYPED_TEST(TopOf, LongLines) {
  const auto x = wild<TypeParam>(1000, 3);
  check_top({1000}, x, 0, 1000, true);
  check_top({2, 500}, x, 1, 33, false);
}

// Beyond what a threadgroup sorts.
TEST(Top, VeryLongLines) {
  const auto x = wild<float>(2 * 4099, 4);
  check_top({2, 4099}, x, 1, 50, true);
}

TEST(Top, OneResultAlone) {
  Case("TopK", 11)
      .attribute("axis", 0)
      .attribute("sorted", 1)
      .attribute("largest", 1)
      .input<float>({3}, {1, 9, 4})
      .host<int64_t>({1}, {2})
      .no_output()
      .output<int64_t>({2}, {1, 2})
      .check();
}

TEST(Top, NoneOfThem) {
  Case("TopK", 11)
      .attribute("axis", 0)
      .attribute("sorted", 1)
      .attribute("largest", 1)
      .input<float>({3}, {1, 9, 4})
      .host<int64_t>({1}, {0})
      .output<float>({0}, {})
      .output<int64_t>({0}, {})
      .check();
}

}  // namespace
}  // namespace mps::op_tests
