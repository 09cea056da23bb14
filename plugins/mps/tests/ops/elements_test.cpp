// Several elements a thread: counts around the multiples of what a thread makes, in all layouts,
// broadcast, without elements, in place, of every type.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

const std::vector<int64_t>& extents() {
  static const std::vector<int64_t> all = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1023, 1024, 1025};
  return all;
}

template <typename T>
class ElementsOf : public testing::Test {};
using Moved = testing::Types<float, half, bfloat, int8_t, uint8_t, int16_t, int32_t, int64_t>;
TYPED_TEST_SUITE(ElementsOf, Moved);

// bfloat16 adds in no other row than floats do.
template <typename T>
T sum_of(T x, T y) {
  return static_cast<T>(x + y);
}

template <typename T>
std::vector<T> sums_of(const std::vector<T>& x, const std::vector<T>& y) {
  std::vector<T> made;
  for (size_t i = 0; i < x.size(); ++i) made.push_back(sum_of(x[i], y[y.size() == 1 ? 0 : i]));
  return made;
}

TYPED_TEST(ElementsOf, SumsOfEachCount) {
  for (const int64_t extent : extents()) {
    const auto x = numbers<TypeParam>(extent), y = numbers<TypeParam>(extent, 2);
    Case("Add", 14).input({extent}, x).input({extent}, y).expect({extent}, sums_of(x, y));
    const std::vector<TypeParam> one = {y[0]};
    Case("Add", 14).input({extent}, x).input({}, one).expect({extent}, sums_of(x, one));
    Case("Add", 14).input({1}, one).input({extent}, x).expect({extent}, sums_of(x, one));
  }
}

TYPED_TEST(ElementsOf, SumsInPlaceOfTheirInputs) {
  for (const int64_t extent : extents()) {
    const auto x = numbers<TypeParam>(extent), y = numbers<TypeParam>(extent, 2);
    for (const size_t position : {0, 1}) {
      Case("Add", 14)
          .input({extent}, x)
          .input({extent}, y)
          .output({extent}, sums_of(x, y))
          .in_place_of(position)
          .check();
    }
  }
}

// Lines whose length is not a multiple of anything, and columns that repeat.
TYPED_TEST(ElementsOf, SumsThatBroadcast) {
  for (const int64_t extent : extents()) {
    const Shape left{3, 1, extent}, right{2, 1}, shape{3, 2, extent};
    const auto x = numbers<TypeParam>(3 * extent), y = numbers<TypeParam>(2, 2);
    Case("Add", 14).input(left, x).input(right, y).expect(
        shape, made_by<TypeParam>(shape, [&](const Shape& at) {
          return sum_of(x[flat({3, extent}, {at[0], at[2]})], y[static_cast<size_t>(at[1])]);
        }));
  }
}

TYPED_TEST(ElementsOf, CopiesAndChoices) {
  for (const int64_t extent : extents()) {
    const Shape shape{2, extent};
    const auto x = numbers<TypeParam>(2 * extent), y = numbers<TypeParam>(2 * extent, 2);
    Case("Concat", 13)
        .attribute("axis", 0)
        .input({1, extent}, std::vector(x.begin(), x.begin() + extent))
        .input({1, extent}, std::vector(x.begin() + extent, x.end()))
        .expect(shape, x);
    if constexpr (!std::is_same_v<TypeParam, bfloat>) {
      const auto bits = below<int64_t>(2, extent);
      std::vector<Truth> condition;
      for (const int64_t bit : bits) condition.push_back(static_cast<Truth>(bit));
      Case("Where", 16)
          .input({extent}, condition)
          .input(shape, x)
          .input(shape, y)
          .expect(shape, made_by<TypeParam>(shape, [&](const Shape& at) {
                    const bool is = condition[static_cast<size_t>(at[1])] == Truth::yes;
                    return (is ? x : y)[flat(shape, at)];
                  }));
    }
  }
}

TYPED_TEST(ElementsOf, ComparisonsAndCasts) {
  for (const int64_t extent : extents()) {
    const auto x = numbers<TypeParam>(extent), y = numbers<TypeParam>(extent, 2);
    std::vector<Truth> less;
    std::vector<int64_t> wide;
    std::vector<uint8_t> narrow;
    for (size_t i = 0; i < x.size(); ++i) {
      less.push_back(x[i] < y[i] ? Truth::yes : Truth::no);
      wide.push_back(static_cast<int64_t>(x[i]));
      // Integers wrap, and fractions are bounded.
      const bool wraps = std::is_integral_v<TypeParam>;
      narrow.push_back(static_cast<uint8_t>(wraps ? wide[i] : std::max<int64_t>(wide[i], 0)));
    }
    Case("Less", 13).input({extent}, x).input({extent}, y).expect({extent}, less);
    Case("Cast", 13).attribute("to", 7).input({extent}, x).expect({extent}, wide);
    Case("Cast", 13).attribute("to", 2).input({extent}, x).expect({extent}, narrow);
  }
}

TYPED_TEST(ElementsOf, NothingOutOfNothing) {
  for (const Shape& shape : {Shape{0}, Shape{3, 0}, Shape{0, 5}}) {
    const std::vector<TypeParam> none;
    Case("Add", 14).input(shape, none).input(shape, none).expect(shape, none);
    Case("Cast", 13).attribute("to", 7).input(shape, none).expect(shape, std::vector<int64_t>());
  }
}

TYPED_TEST(ElementsOf, RankZero) {
  const std::vector<TypeParam> x = {static_cast<TypeParam>(3)}, y = {static_cast<TypeParam>(4)};
  Case("Add", 14).input({}, x).input({}, y).expect({}, sums_of(x, y));
  Case("Cast", 13).attribute("to", 7).input({}, x).expect({}, std::vector<int64_t>{3});
}

TEST(Elements, OneInputInPlace) {
  for (const int64_t extent : extents()) {
    const auto x = wild<float>(extent);
    std::vector<float> positive, negative;
    std::vector<Truth> nan;
    for (const float one : x) {
      positive.push_back(one < 0 ? 0 : one);
      negative.push_back(-one);
      nan.push_back(std::isnan(one) ? Truth::yes : Truth::no);
    }
    Case("Relu", 14).input({extent}, x).output({extent}, positive).in_place_of(0).check();
    Case("Neg", 13).input({extent}, x).expect({extent}, negative);
    Case("IsNaN", 13).input({extent}, x).expect({extent}, nan);
    std::vector<Truth> others;
    for (const Truth one : nan) others.push_back(one == Truth::yes ? Truth::no : Truth::yes);
    Case("Not", 1).input({extent}, nan).output({extent}, others).in_place_of(0).check();
    const auto whole = numbers<int64_t>(extent);
    std::vector<int64_t> sizes;
    for (const int64_t one : whole) sizes.push_back(std::abs(one));
    Case("Abs", 13).input({extent}, whole).output({extent}, sizes).in_place_of(0).check();
  }
}

TEST(Elements, ClipWithOneBoundOrTwo) {
  const auto x = numbers<float>(9);
  for (const bool has_least : {false, true}) {
    for (const bool has_most : {false, true}) {
      std::vector<float> expected;
      for (const float one : x) {
        const float raised = has_least ? std::max(one, -2.0f) : one;
        expected.push_back(has_most ? std::min(raised, 3.0f) : raised);
      }
      Case clip("Clip", 13);
      clip.input<float>({9}, x);
      has_least ? clip.input<float>({}, {-2.0f}) : clip.no_input();
      has_most ? clip.input<float>({}, {3.0f}) : clip.no_input();
      clip.expect<float>({9}, expected);
    }
  }
}

TEST(Elements, ManyLinesOfAFew) {
  for (const Shape& shape : {Shape{1025, 3}, Shape{300, 2, 5}, Shape{5, 1025}}) {
    const auto x = numbers<float>(count_of(shape)), y = numbers<float>(shape.back(), 2);
    Case("Mul", 14)
        .input(shape, x)
        .input({shape.back()}, y)
        .expect(shape, made_by<float>(shape, [&](const Shape& at) {
                  return x[flat(shape, at)] * y[static_cast<size_t>(at.back())];
                }));
  }
}

}  // namespace
}  // namespace mps::op_tests
