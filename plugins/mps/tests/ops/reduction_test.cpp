// Reductions, ArgMax and ArgMin, in all layouts, of what is not a number too.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

template <typename T>
using Fold = std::function<T(const std::vector<T>&)>;

// The elements that meet at each position of the result, axes kept.
template <typename T>
std::vector<T> folded(const Shape& shape, const std::vector<T>& x, const Numbers& axes,
                      const Fold<T>& fold, Shape& result) {
  result = shape;
  for (const int64_t axis : axes) result[static_cast<size_t>(axis)] = 1;
  std::vector<std::vector<T>> met(static_cast<size_t>(count_of(result)));
  each_position(shape, [&](const Shape& at) {
    Shape to = at;
    for (const int64_t axis : axes) to[static_cast<size_t>(axis)] = 0;
    met[flat(result, to)].push_back(x[flat(shape, at)]);
  });
  std::vector<T> made;
  for (const std::vector<T>& one : met) made.push_back(fold(one));
  return made;
}

template <typename T>
void expect_fold(const char* op, const Shape& shape, const std::vector<T>& x, const Numbers& axes,
                 const Fold<T>& fold, double tolerance = 0) {
  Shape kept;
  const std::vector<T> expected = folded(shape, x, axes, fold, kept);
  Shape left;
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool goes = std::find(axes.begin(), axes.end(), static_cast<int64_t>(i)) != axes.end();
    if (!goes) left.push_back(shape[i]);
  }
  for (const bool keeps : {true, false}) {
    Case(op, 18)
        .attribute("keepdims", keeps ? 1 : 0)
        .input(shape, x)
        .template host<int64_t>({static_cast<int64_t>(axes.size())}, axes)
        .expect(keeps ? kept : left, expected, tolerance);
  }
}

// The first of two axes is far outside; the last shape is long enough for groups.
const std::vector<std::pair<Shape, Numbers>>& forms() {
  static const std::vector<std::pair<Shape, Numbers>> all = {
      {{3, 4, 5}, {1}},          {{3, 4, 5}, {0, 2}},
      {{2, 3, 2, 2, 3}, {0, 3}}, {{2, 3, 2, 2, 3}, {0, 1, 2, 3, 4}},
      {{2, 9, 30}, {1, 2}},
  };
  return all;
}

template <typename T>
class ReductionOf : public testing::Test {};
TYPED_TEST_SUITE(ReductionOf, Floating);

TYPED_TEST(ReductionOf, ExtremesCarryNaN) {
  for (const auto& [shape, axes] : forms()) {
    for (const bool has_nan : {true, false}) {
      auto x = wild<TypeParam>(count_of(shape), 5);
      if (!has_nan) {
        for (TypeParam& one : x) one = one != one ? static_cast<TypeParam>(-INFINITY) : one;
      }
      for (const bool largest : {true, false}) {
        expect_fold<TypeParam>(largest ? "ReduceMax" : "ReduceMin", shape, x, axes,
                               [&](const auto& met) {
                                 float best = met[0];
                                 for (const TypeParam one : met) {
                                   const float a = one;
                                   if (std::isnan(a)) return static_cast<TypeParam>(a);
                                   best = largest ? std::max(best, a) : std::min(best, a);
                                 }
                                 return static_cast<TypeParam>(best);
                               });
      }
    }
  }
}

TYPED_TEST(ReductionOf, Sums) {
  const double rounding = std::is_same_v<TypeParam, float> ? 1e-6 : 0x1.1p-8;
  for (const auto& [shape, axes] : forms()) {
    const auto x = numbers<TypeParam>(count_of(shape), 3);
    const auto total = [](const auto& met, auto&& of) {
      double sum = 0;
      for (const TypeParam one : met) sum += of(static_cast<double>(static_cast<float>(one)));
      return sum;
    };
    const auto square = [](double a) { return a * a; };
    const std::pair<const char*, Fold<TypeParam>> folds[] = {
        {"ReduceSum", [&](const auto& met) { return total(met, [](double a) { return a; }); }},
        {"ReduceMean",
         [&](const auto& met) {
           return total(met, [](double a) { return a; }) / static_cast<double>(met.size());
         }},
        {"ReduceL1",
         [&](const auto& met) { return total(met, [](double a) { return std::fabs(a); }); }},
        {"ReduceL2", [&](const auto& met) { return std::sqrt(total(met, square)); }},
        {"ReduceSumSquare", [&](const auto& met) { return total(met, square); }}};
    for (const auto& [op, fold] : folds) {
      expect_fold<TypeParam>(op, shape, x, axes, fold, rounding);
    }
  }
}

TYPED_TEST(ReductionOf, NothingGivesWhatJoiningBeginsWith) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const std::pair<const char*, float> starts[] = {{"ReduceSum", 0},
                                                  {"ReduceMean", NAN},
                                                  {"ReduceMax", -infinity},
                                                  {"ReduceMin", infinity},
                                                  {"ReduceProd", 1},
                                                  {"ReduceL1", 0},
                                                  {"ReduceL2", 0},
                                                  {"ReduceSumSquare", 0},
                                                  {"ReduceLogSum", -infinity},
                                                  {"ReduceLogSumExp", -infinity}};
  for (const auto& [op, start] : starts) {
    const auto fold = [start = start](const auto&) { return static_cast<TypeParam>(start); };
    expect_fold<TypeParam>(op, {3, 0, 2}, {}, {1}, fold);
    expect_fold<TypeParam>(op, {3, 0, 2}, {}, {0, 1, 2}, fold);
    expect_fold<TypeParam>(op, {3, 0, 2}, {}, {0}, fold);  // no results
  }
}

template <typename T>
class WholeReductionOf : public testing::Test {};
using Whole = testing::Types<int32_t, int64_t>;
TYPED_TEST_SUITE(WholeReductionOf, Whole);

// Sums wrap; those of int64 keep all bits.
TYPED_TEST(WholeReductionOf, AreExact) {
  using Unsigned = std::make_unsigned_t<TypeParam>;
  for (const auto& [shape, axes] : forms()) {
    auto x = numbers<TypeParam>(count_of(shape), 3);
    x[1] = std::numeric_limits<TypeParam>::max() - 2;
    x.back() = std::numeric_limits<TypeParam>::min() + 5;
    const auto over = [](auto&& join, Unsigned start) {
      return [join, start](const std::vector<TypeParam>& met) {
        Unsigned all = start;
        for (const TypeParam one : met) all = join(all, static_cast<Unsigned>(one));
        return static_cast<TypeParam>(all);
      };
    };
    expect_fold<TypeParam>("ReduceSum", shape, x, axes,
                           over([](Unsigned a, Unsigned b) { return a + b; }, 0));
    expect_fold<TypeParam>("ReduceProd", shape, x, axes,
                           over([](Unsigned a, Unsigned b) { return a * b; }, 1));
    expect_fold<TypeParam>("ReduceSumSquare", shape, x, axes,
                           over([](Unsigned a, Unsigned b) { return a + b * b; }, 0));
    expect_fold<TypeParam>("ReduceMax", shape, x, axes, [](const auto& met) {
      return *std::max_element(met.begin(), met.end());
    });
    expect_fold<TypeParam>("ReduceMin", shape, x, axes, [](const auto& met) {
      return *std::min_element(met.begin(), met.end());
    });
  }
}

TYPED_TEST(WholeReductionOf, NothingGivesWhatJoiningBeginsWith) {
  using Limits = std::numeric_limits<TypeParam>;
  const std::pair<const char*, TypeParam> starts[] = {{"ReduceSum", 0},
                                                      {"ReduceMax", Limits::min()},
                                                      {"ReduceMin", Limits::max()},
                                                      {"ReduceProd", 1},
                                                      {"ReduceL1", 0},
                                                      {"ReduceSumSquare", 0}};
  for (const auto& [op, start] : starts) {
    const auto fold = [start = start](const auto&) { return start; };
    expect_fold<TypeParam>(op, {3, 0, 2}, {}, {1}, fold);
    expect_fold<TypeParam>(op, {0}, {}, {0}, fold);
  }
}

template <typename T>
class ExtremePositionOf : public testing::Test {};
using Compared = testing::Types<float, half, bfloat, int32_t>;
TYPED_TEST_SUITE(ExtremePositionOf, Compared);

// A NaN is beyond all numbers, on both sides.
template <typename T>
Numbers position_of(const std::vector<T>& line, bool largest, bool last) {
  size_t best = 0;
  for (size_t i = 1; i < line.size(); ++i) {
    const T a = line[i], b = line[best];
    const bool is_same = a == b || (a != a && b != b);
    const bool is_more = b == b && (a != a || (largest ? a > b : a < b));
    if (is_more || (last && is_same)) best = i;
  }
  return {static_cast<int64_t>(best)};
}

TYPED_TEST(ExtremePositionOf, FirstAndLast) {
  for (const Shape& shape : {Shape{4, 5, 3}, Shape{2, 3, 2, 2, 4}, Shape{2, 70}}) {
    const auto x = wild<TypeParam>(count_of(shape), 11);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      Shape result = shape;
      result[axis] = 1;
      for (const int choice : {0, 1, 2, 3}) {
        const bool largest = choice % 2 == 0, last = choice / 2 == 0;
        Case(largest ? "ArgMax" : "ArgMin", 13)
            .attribute("axis", static_cast<int64_t>(axis))
            .attribute("select_last_index", last ? 1 : 0)
            .input(shape, x)
            .expect(result, by_line<int64_t>(shape, x, axis, [&](const auto& line) {
                      return position_of(line, largest, last);
                    }));
      }
    }
  }
}

TEST(ExtremePosition, OfNothingIsNowhere) {
  for (const char* op : {"ArgMax", "ArgMin"}) {
    const auto of = [&](const Shape& shape) {
      Case made(op, 13);
      made.attribute("axis", 0).attribute("select_last_index", 0).input<float>(shape, {});
      return made;
    };
    EXPECT_EQ(of({0, 2}).output<int64_t>({1, 2}, {0, 0}).failure().status(), SY_INVALID) << op;
    of({2, 0}).expect<int64_t>({1, 0}, {});
  }
}

// Any and all: ReduceMax and ReduceMin of bools.
TEST(TruthReduction, IsAnyOrAll) {
  for (const auto& [shape, axes] : forms()) {
    for (const unsigned rarity : {1u, 2u, 40u}) {
      std::mt19937 random(rarity);
      for (const bool any : {true, false}) {
        std::vector<Truth> x(static_cast<size_t>(count_of(shape)));
        for (Truth& one : x) one = (random() % rarity == 0) == any ? Truth::yes : Truth::no;
        expect_fold<Truth>(any ? "ReduceMax" : "ReduceMin", shape, x, axes, [&](const auto& met) {
          const bool has =
              std::find(met.begin(), met.end(), any ? Truth::yes : Truth::no) != met.end();
          return has == any ? Truth::yes : Truth::no;
        });
      }
    }
  }
}

TEST(TruthReduction, OfNothing) {
  for (const auto& [op, nothing] : {std::pair("ReduceMax", Truth::no), {"ReduceMin", Truth::yes}}) {
    Case(op, 20)
        .attribute("keepdims", 0)
        .input<Truth>({0, 3}, {})
        .host<int64_t>({1}, {0})
        .expect<Truth>({3}, {nothing, nothing, nothing});
  }
}

}  // namespace
}  // namespace mps::op_tests
