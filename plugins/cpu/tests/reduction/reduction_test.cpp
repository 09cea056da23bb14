#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

using ReductionJoin = std::function<double(const std::vector<double>&)>;

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }
double squares(const std::vector<double>& x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}
double most(const std::vector<double>& x) {
  double best = -infinity;
  for (const double number : x) best = number > best || std::isnan(number) ? number : best;
  return best;
}

struct ReductionCase {
  std::string op;
  ReductionJoin join;
  double units = 1;      // float32
  bool integers = true;  // exact for integers
};

std::vector<ReductionCase> reduction_cases() {
  return {
      {"ReduceSum", sum, 3},
      {"ReduceMean", [](const auto& x) { return sum(x) / static_cast<double>(x.size()); }, 3,
       false},
      {"ReduceMax", most, 0},
      {"ReduceMin",
       [](auto x) {
         for (double& number : x) number = -number;
         return -most(x);
       },
       0},
      {"ReduceProd",
       [](const auto& x) { return std::accumulate(x.begin(), x.end(), 1.0, std::multiplies<>()); },
       300, false},
      {"ReduceL1",
       [](auto x) {
         for (double& number : x) number = std::abs(number);
         return sum(x);
       },
       3},
      {"ReduceL2", [](const auto& x) { return std::sqrt(squares(x)); }, 3, false},
      {"ReduceSumSquare", squares, 3, false},
      {"ReduceLogSum", [](const auto& x) { return std::log(sum(x)); }, 3, false},
      {"ReduceLogSumExp",
       [](const auto& x) {
         double total = 0;
         for (const double number : x) total += std::exp(number);
         return std::log(total);
       },
       2, false},
  };
}

// Joins the elements that share their kept indices, in row-major order of these.
std::vector<double> reduction_reference(const Value& input, const std::vector<int64_t>& axes,
                                        const ReductionJoin& join) {
  const size_t rank = input.shape.size();
  std::vector<bool> reduced(rank, axes.empty());
  for (const int64_t axis : axes) reduced[axis < 0 ? axis + rank : axis] = true;
  int64_t lines = 1;
  for (size_t i = 0; i < rank; ++i) lines *= reduced[i] ? 1 : input.shape[i];
  std::vector<std::vector<double>> collected(static_cast<size_t>(lines));
  const std::vector<double> elements = as_doubles(input);
  std::vector<int64_t> index(rank, 0);
  for (const double element : elements) {
    int64_t line = 0;
    for (size_t i = 0; i < rank; ++i) {
      if (!reduced[i]) line = line * input.shape[i] + index[i];
    }
    collected[line].push_back(element);
    for (size_t i = rank; i-- > 0;) {
      if (++index[i] < input.shape[i]) break;
      index[i] = 0;
    }
  }
  std::vector<double> made;
  for (const auto& line : collected) made.push_back(join(line));
  return made;
}

Shape reduced_shape(const Shape& shape, const std::vector<int64_t>& axes, bool keep) {
  Shape made;
  for (size_t i = 0; i < shape.size(); ++i) {
    bool reduced = axes.empty();
    for (const int64_t axis : axes) {
      reduced = reduced || (axis < 0 ? axis + static_cast<int64_t>(shape.size()) : axis) ==
                               static_cast<int64_t>(i);
    }
    if (!reduced) made.push_back(shape[i]);
    if (reduced && keep) made.push_back(1);
  }
  return made;
}

class Reduction : public ::testing::TestWithParam<ReductionCase> {
 protected:
  Value run(const Value& input, const std::vector<int64_t>& axes, bool keep, Shape strides = {}) {
    OneNode node(GetParam().op);
    node.attribute("keepdims", keep ? 1 : 0).attribute("noop_with_empty_axes", 0).input(input);
    if (!axes.empty()) node.host_input(integers(axes));
    return node.output(input.dtype, reduced_shape(input.shape, axes, keep), std::move(strides))
        .run();
  }

  void expect_right(const Value& input, const std::vector<int64_t>& axes, bool keep) {
    const bool floating = (sy::float_dtypes & SY_DTYPE_BIT(input.dtype)) != 0;
    const double units = floating ? std::max(GetParam().units, 0.51) : 0;
    expect_near(run(input, axes, keep), reduction_reference(input, axes, GetParam().join), units,
                1e-7);
  }
};

TEST_P(Reduction, EveryAxesInEveryLayout) {
  const Shape shape = {3, 4, 5, 6};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    const Value plain = from_doubles(dtype, shape, numbers_between(0.5, 1.5, 360));
    for (const Value& input : layouts_of(plain)) {
      for (const std::vector<int64_t>& axes : std::vector<std::vector<int64_t>>{
               {}, {0}, {1}, {3}, {-1, -2}, {0, 2}, {1, 3}, {0, 2, 3}, {0, 1, 2}}) {
        expect_right(input, axes, true);
        expect_right(input, axes, false);
      }
    }
  }
}

TEST_P(Reduction, Integers) {
  if (!GetParam().integers) return;
  for (const sy_dtype dtype : {SY_INT32, SY_INT64, SY_UINT32, SY_UINT64, SY_INT8, SY_UINT8}) {
    const Value input = from_doubles(dtype, {2, 3, 4}, numbers_between(1, 5, 24));
    for (const Value& layout : layouts_of(input)) {
      expect_right(layout, {1}, true);
      expect_right(layout, {2}, false);
      expect_right(layout, {}, false);
    }
  }
}

TEST_P(Reduction, LongLinesAndManyLines) {
  const auto input = [](const Shape& shape) {
    return from_doubles(SY_FLOAT32, shape, numbers_between(0.999, 1.001, sy::element_count(shape)));
  };
  expect_right(input({300'001}), {0}, true);
  expect_right(input({3, 100'000}), {1}, false);
  expect_right(input({100'000, 3}), {0}, false);
  expect_right(input({20'000, 33}), {0}, false);
  expect_right(input({513, 1030}), {0}, false);
  expect_right(input({2, 300, 700}), {1}, false);
  expect_right(input({40'000, 5}), {1}, false);
  expect_right(transposed(input({8, 64, 31, 33}), {0, 2, 3, 1}), {0, 2, 3}, false);
  expect_right(transposed(input({8, 64, 31, 33}), {0, 2, 3, 1}), {1}, true);
}

TEST_P(Reduction, RankZeroAndEmpty) {
  expect_right(from_doubles(SY_FLOAT32, {}, {1.25}), {}, true);
  const Value none = blank(SY_FLOAT32, {2, 0});
  const double of_nothing = GetParam().join({});
  expect_near(run(none, {1}, false), {of_nothing, of_nothing}, 0);
  EXPECT_EQ(run(none, {0}, false).size(), 0);
}

TEST_P(Reduction, StridedOutput) {
  const Value input = from_doubles(SY_FLOAT32, {4, 6, 5}, numbers_between(0.5, 1.5, 120));
  const Value output = run(input, {1}, false, {1, 4});
  expect_near(output, reduction_reference(input, {1}, GetParam().join),
              std::max(GetParam().units, 0.51));
}

INSTANTIATE_TEST_SUITE_P(All, Reduction, ::testing::ValuesIn(reduction_cases()),
                         [](const auto& info) { return info.param.op; });

Value reduce(const char* op, const Value& input, const std::vector<int64_t>& axes,
             const Shape& shape) {
  return OneNode(op)
      .attribute("keepdims", 0)
      .input(input)
      .host_input(integers(axes))
      .output(input.dtype, shape)
      .run();
}

TEST(ReductionSpecial, NanAndInfinity) {
  for (const int64_t size : {3, 40}) {
    std::vector<double> elements(static_cast<size_t>(2 * size), 1.0);
    elements[1] = nan;
    elements[static_cast<size_t>(size) + 2] = -infinity;
    const Value rows = from_doubles(SY_FLOAT32, {2, size}, elements);
    expect_near(reduce("ReduceMax", rows, {1}, {2}), {nan, 1}, 0);
    expect_near(reduce("ReduceMin", rows, {1}, {2}), {nan, -infinity}, 0);
    expect_near(reduce("ReduceSum", rows, {1}, {2}), {nan, -infinity}, 0);
    const Value columns = transposed(rows, {1, 0});
    expect_near(reduce("ReduceMax", columns, {1}, {2}), {nan, 1}, 0);
  }
  const Value big = from_doubles(SY_FLOAT32, {3}, {1000, 1000, -infinity});
  expect_near(reduce("ReduceLogSumExp", big, {0}, {}), {1000 + std::log(2.0)}, 1);
  const Value none = from_doubles(SY_FLOAT32, {2}, {-infinity, -infinity});
  expect_near(reduce("ReduceLogSumExp", none, {0}, {}), {-infinity}, 0);
}

TEST(ReductionSpecial, SumsOfManyFloatsStayNearTheExactOne) {
  const auto count = int64_t{1} << 22;
  const Value input = value<float>({count}, std::vector<float>(static_cast<size_t>(count), 0.1f));
  expect_near(reduce("ReduceSum", input, {0}, {}), {0.1f * static_cast<double>(count)}, 4);
  const Value columns =
      value<float>({count / 4, 4}, std::vector<float>(static_cast<size_t>(count), 0.1f));
  const double each = 0.1f * static_cast<double>(count / 4);
  expect_near(reduce("ReduceSum", columns, {0}, {4}), {each, each, each, each}, 4);
}

TEST(ReductionSpecial, EmptyAxesMayMeanNone) {
  const Value input = from_doubles(SY_FLOAT32, {2, 2}, {1, 2, 3, 4});
  OneNode node("ReduceSum");
  node.attribute("keepdims", 1)
      .attribute("noop_with_empty_axes", 1)
      .input(transposed(input, {1, 0}));
  expect_near(node.host_input(integers({})).output(SY_FLOAT32, {2, 2}).run(), {1, 2, 3, 4}, 0);
  const Value mixed = from_doubles(SY_FLOAT32, {2, 2}, {-2, 3, -0.5, 0});
  const auto alone = [&](const char* op) {
    OneNode each(op);
    each.attribute("keepdims", 0).attribute("noop_with_empty_axes", 1).input(mixed);
    return each.output(SY_FLOAT32, {2, 2}).run();
  };
  expect_near(alone("ReduceL1"), {2, 3, 0.5, 0}, 0);
  expect_near(alone("ReduceL2"), {2, 3, 0.5, 0}, 0);
  expect_near(alone("ReduceSumSquare"), {4, 9, 0.25, 0}, 0);
  expect_near(alone("ReduceLogSumExp"), {-2, 3, -0.5, 0}, 0);
  expect_near(alone("ReduceMean"), {-2, 3, -0.5, 0}, 0);
  OneNode all("ReduceSum");
  all.attribute("keepdims", 0).attribute("noop_with_empty_axes", 0).input(input);
  expect_near(all.host_input(integers({})).output(SY_FLOAT32, {}).run(), {10}, 0);
}

TEST(ReductionSpecial, IntegersOfEveryKind) {
  const Value x = value<int32_t>({2, 3}, {1, -2, 4, -7, 8, 9});
  EXPECT_EQ(numbers<int32_t>(reduce("ReduceMean", x, {1}, {2})), (std::vector<int32_t>{1, 3}));
  EXPECT_EQ(numbers<int32_t>(reduce("ReduceProd", x, {1}, {2})), (std::vector<int32_t>{-8, -504}));
  EXPECT_EQ(numbers<int32_t>(reduce("ReduceSumSquare", x, {1}, {2})),
            (std::vector<int32_t>{21, 194}));
  EXPECT_EQ(numbers<int32_t>(reduce("ReduceL2", x, {0}, {3})), (std::vector<int32_t>{7, 8, 9}));
  const Value big = value<int64_t>({2}, {INT64_MAX, INT64_MAX - 1});
  EXPECT_EQ(numbers<int64_t>(reduce("ReduceMax", big, {0}, {})), (std::vector<int64_t>{INT64_MAX}));
  const Value unsigned_big = value<uint64_t>({2}, {UINT64_MAX, 3});
  EXPECT_EQ(numbers<uint64_t>(reduce("ReduceMin", unsigned_big, {0}, {})),
            (std::vector<uint64_t>{3}));
  const Value flags = value<bool>({2, 2}, {false, true, false, false});
  EXPECT_EQ(numbers<bool>(reduce("ReduceMax", flags, {1}, {2})), (std::vector<bool>{true, false}));
}

template <typename T>
void expect_limits_of_none(T least, T most) {
  const Value none = value<T>({2, 0}, {});
  EXPECT_EQ(numbers<T>(reduce("ReduceMax", none, {1}, {2})), (std::vector<T>{least, least}));
  EXPECT_EQ(numbers<T>(reduce("ReduceMin", none, {1}, {2})), (std::vector<T>{most, most}));
}

TEST(ReductionSpecial, ExtremesOfNoNumbersAreTheLimitsOfTheirType) {
  expect_limits_of_none<int8_t>(INT8_MIN, INT8_MAX);
  expect_limits_of_none<uint8_t>(0, UINT8_MAX);
  expect_limits_of_none<int32_t>(INT32_MIN, INT32_MAX);
  expect_limits_of_none<uint32_t>(0, UINT32_MAX);
  expect_limits_of_none<int64_t>(INT64_MIN, INT64_MAX);
  expect_limits_of_none<uint64_t>(0, UINT64_MAX);
  expect_limits_of_none<float>(-infinity, infinity);
  expect_limits_of_none<bool>(false, true);
}

TEST(ReductionSpecial, OneThreadGivesTheSameBitsAsMany) {
  const auto count = int64_t{500'000};
  const Value input = from_doubles(SY_FLOAT32, {count}, numbers_between(-1, 1, count));
  OneNode node("ReduceSum");
  node.attribute("keepdims", 0).input(input).host_input(integers({0})).output(SY_FLOAT32, {});
  const float first = numbers<float>(node.run())[0];
  for (int i = 0; i < 20; ++i) EXPECT_EQ(numbers<float>(node.run())[0], first);
}

TEST(ReductionSpecial, AxesOutOfRangeAreInvalid) {
  const Value input = from_doubles(SY_FLOAT32, {2, 2}, {1, 2, 3, 4});
  EXPECT_THROW(reduce("ReduceSum", input, {2}, {2}), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
