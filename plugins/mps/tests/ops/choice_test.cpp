// Where, Clip, Max, Min, Relu, IsNaN, IsInf: what is chosen among numbers that are none.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
class ChoiceOf : public testing::Test {};
TYPED_TEST_SUITE(ChoiceOf, Floating);

template <typename T>
class WhereOf : public testing::Test {};
using Chosen = testing::Types<float, half, int8_t, int32_t, int64_t>;
TYPED_TEST_SUITE(WhereOf, Chosen);

// NaN that is not chosen does not show.
TYPED_TEST(WhereOf, AllThreeBroadcast) {
  const Shape when{3, 1, 4}, left{2, 1}, right{5, 3, 1, 1}, shape{5, 3, 2, 4};
  const auto x = wild<TypeParam>(2, 4), y = wild<TypeParam>(15, 6);
  std::vector<Truth> condition;
  for (const int64_t bit : below<int64_t>(2, 12)) condition.push_back(static_cast<Truth>(bit));
  Case("Where", 16)
      .input(when, condition)
      .input(left, x)
      .input(right, y)
      .expect(shape, made_by<TypeParam>(shape, [&](const Shape& at) {
                const bool is = condition[flat(when, {at[1], 0, at[3]})] == Truth::yes;
                return is ? x[static_cast<size_t>(at[2])] : y[flat({5, 3}, {at[0], at[1]})];
              }));
}

template <typename T>
float number(T x) {
  return static_cast<float>(x);
}

TYPED_TEST(ChoiceOf, ExtremesCarryNaN) {
  const Shape shape{4, 6};
  const auto x = wild<TypeParam>(24, 1), y = wild<TypeParam>(6, 2);
  for (const bool largest : {true, false}) {
    Case(largest ? "Max" : "Min", 13)
        .input(shape, x)
        .input({6}, y)
        .expect(shape, made_by<TypeParam>(shape, [&](const Shape& at) {
                  const float a = number(x[flat(shape, at)]);
                  const float b = number(y[static_cast<size_t>(at[1])]);
                  if (std::isnan(a) || std::isnan(b)) return NAN;
                  return largest ? std::max(a, b) : std::min(a, b);
                }));
  }
}

TYPED_TEST(ChoiceOf, ReluAndClipCarryNaN) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const auto x = wild<TypeParam>(30);
  const auto clipped = [&](float least, float most) {
    std::vector<TypeParam> made;
    for (const TypeParam one : x) {
      const float a = number(one);
      made.push_back(std::isnan(a) ? NAN : std::min(std::max(a, least), most));
    }
    return made;
  };
  Case("Relu", 14).input({5, 6}, x).expect({5, 6}, clipped(0, infinity));
  // A bound that is NaN bounds nothing.
  Case("Clip", 13)
      .input({5, 6}, x)
      .template input<TypeParam>({}, {NAN})
      .template input<TypeParam>({}, {1.0f})
      .expect({5, 6}, clipped(-infinity, 1));
  Case("Clip", 13)
      .input({5, 6}, x)
      .template input<TypeParam>({}, {-2.0f})
      .template input<TypeParam>({}, {NAN})
      .expect({5, 6}, clipped(-2, infinity));
  for (const auto& [least, most] : {std::pair(-2.0f, 3.5f), std::pair(-infinity, 1.0f)}) {
    Case("Clip", 13)
        .input({5, 6}, x)
        .template input<TypeParam>({}, {least})
        .template input<TypeParam>({}, {most})
        .expect({5, 6}, clipped(least, most));
  }
}

// Odd counts of results of one byte: their neighbours keep what they are.
TYPED_TEST(ChoiceOf, TellsWhatIsNotANumber) {
  for (const Shape& shape : {Shape{1}, Shape{3}, Shape{5, 7}, Shape{2, 3, 3}}) {
    const auto x = wild<TypeParam>(count_of(shape), 7);
    const auto told = [&](auto&& is) {
      std::vector<Truth> made;
      for (const TypeParam one : x) made.push_back(is(number(one)) ? Truth::yes : Truth::no);
      return made;
    };
    Case("IsNaN").input(shape, x).expect(shape, told([](float a) { return std::isnan(a); }));
    Case("IsInf").input(shape, x).expect(shape, told([](float a) { return std::isinf(a); }));
    Case("IsInf").attribute("detect_negative", 0).input(shape, x).expect(shape, told([](float a) {
                                                                           return std::isinf(a) &&
                                                                                  a > 0;
                                                                         }));
  }
}

TYPED_TEST(ChoiceOf, SoftplusOfExtremes) {
  std::vector<TypeParam> x, expected;
  for (const float a : {0.0f, -0.0f, 1.0f, -1.0f, 20.0f, -20.0f, 88.0f, 89.0f, -88.0f, 104.0f,
                        -104.0f, 1e4f, -1e4f, 65504.0f, INFINITY, -INFINITY, NAN, 6e-8f}) {
    x.push_back(static_cast<TypeParam>(a));
    const double given = number(x.back());
    const double most = std::max(given, 0.0) + std::log1p(std::exp(-std::fabs(given)));
    expected.push_back(static_cast<TypeParam>(std::isinf(given) ? std::max(given, 0.0) : most));
  }
  const double rounding = std::is_same_v<TypeParam, float> ? 1e-6 : 0x1.1p-8;
  Case("Softplus", 1).input({3, 6}, x).expect({3, 6}, expected, rounding);
}

}  // namespace
}  // namespace mps::op_tests
