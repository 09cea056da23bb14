// Tensors of rank 5 to 16, whose axes merge in no layout but one.
#include <gtest/gtest.h>

#include <algorithm>

#include "ops/data.hpp"

namespace mps::op_tests {
namespace {

using runtime_tests::contiguous;
using runtime_tests::permuted;

// Four or five axes with elements among `rank`; the first and the last are.
Shape shape_of(size_t rank) {
  Shape shape(rank, 1);
  shape.front() = 2;
  shape[rank / 3] = 3;
  shape[rank / 2] *= 2;
  shape[rank - 2] = 2;
  shape.back() = 2;
  return shape;
}

class HighRanks : public testing::TestWithParam<size_t> {
 protected:
  // The axes with elements.
  std::vector<size_t> wide_axes() const {
    std::vector<size_t> axes;
    for (size_t i = 0; i < shape_.size(); ++i) {
      if (shape_[i] > 1) axes.push_back(i);
    }
    return axes;
  }
  template <typename Make>
  Floats made(Make&& make) const {
    return made_by<float>(shape_, make);
  }
  Shape without(size_t axis) const {
    Shape left = shape_;
    left[axis] = 1;
    return left;
  }

  const Shape shape_ = shape_of(GetParam());
  const Floats x_ = numbers<float>(count_of(shape_));
};

INSTANTIATE_TEST_SUITE_P(Of, HighRanks, testing::Values(5, 6, 7, 8, 11, 16),
                         testing::PrintToStringParamName());

TEST_P(HighRanks, Elementwise) {
  const Shape row = without(0);
  const auto y = numbers<float>(count_of(row), 2);
  Case("Sub", 14).input(shape_, x_).input(row, y).expect(shape_, made([&](Shape at) {
                                                           const float a = x_[flat(shape_, at)];
                                                           at[0] = 0;
                                                           return a - y[flat(row, at)];
                                                         }));
}

TEST_P(HighRanks, AlongEachAxis) {
  for (const size_t axis : wide_axes()) {
    const auto number = static_cast<int64_t>(axis);
    const Shape left = without(axis);
    const auto sums = by_line<float>(shape_, x_, axis, [](const Floats& line) {
      float sum = 0;
      for (const float one : line) sum += one;
      return Floats{sum};
    });
    Case("ReduceSum", 13).input(shape_, x_).host<int64_t>({1}, {number}).expect(left, sums, 1e-6);
    const auto running = by_line<float>(shape_, x_, axis, [](Floats line) {
      for (size_t i = 1; i < line.size(); ++i) line[i] += line[i - 1];
      return line;
    });
    Case("CumSum", 14)
        .attribute("exclusive", 0)
        .attribute("reverse", 0)
        .input(shape_, x_)
        .host<int64_t>({}, {number})
        .expect(shape_, running, 1e-6);
    const auto top = by_line<float>(shape_, x_, axis, [](const Floats& line) {
      return Floats{*std::max_element(line.begin(), line.end())};
    });
    const auto position = by_line<int64_t>(shape_, x_, axis, [](const Floats& line) {
      return Numbers{std::max_element(line.begin(), line.end()) - line.begin()};
    });
    Case("TopK", 11)
        .attribute("axis", number)
        .input(shape_, x_)
        .host<int64_t>({1}, {1})
        .output(left, top)
        .output(left, position)
        .check();
    Case("ArgMax", 13).attribute("axis", number).input(shape_, x_).expect(left, position);
    const auto soft = by_line<float>(shape_, x_, axis, [](Floats line) {
      double sum = 0;
      for (const float one : line) sum += std::exp(one);
      for (float& one : line) one = static_cast<float>(std::exp(one) / sum);
      return line;
    });
    Case("Softmax", 13).attribute("axis", number).input(shape_, x_).expect(shape_, soft, 1e-6);
  }
}

TEST_P(HighRanks, MovedElements) {
  for (const size_t axis : wide_axes()) {
    const auto number = static_cast<int64_t>(axis);
    const Numbers indices = {1, 0, -1};
    Shape result = shape_;
    result[axis] = 3;
    const auto taken = [&](const Numbers& positions) {
      return made_by<float>(result, [&](Shape at) {
        const int64_t position = positions[static_cast<size_t>(at[axis])];
        at[axis] = position < 0 ? position + shape_[axis] : position;
        return x_[flat(shape_, at)];
      });
    };
    Case("Gather", 13)
        .attribute("axis", number)
        .input(shape_, x_)
        .input<int64_t>({3}, indices)
        .expect(result, taken(indices));
    // The axis twice.
    result[axis] = 2 * shape_[axis];
    Numbers twice;
    for (int64_t i = 0; i < 2 * shape_[axis]; ++i) twice.push_back(i % shape_[axis]);
    Case("Concat", 13)
        .attribute("axis", number)
        .input(shape_, x_)
        .input(shape_, x_)
        .expect(result, taken(twice));
    Numbers repeats(shape_.size(), 1);
    repeats[axis] = 2;
    Case("Tile", 13)
        .input(shape_, x_)
        .host<int64_t>({static_cast<int64_t>(repeats.size())}, repeats)
        .expect(result, taken(twice));
  }
}

// The batch of a product: all axes but the last two.
TEST_P(HighRanks, Products) {
  Shape right = shape_;
  std::swap(right.end()[-1], right.end()[-2]);
  right.front() = 1;  // broadcast
  const auto y = numbers<float>(count_of(right), 2);
  Case("MatMul", 13)
      .input(shape_, x_)
      .input(right, y)
      .expect(shape_, made([&](const Shape& at) {
                double sum = 0;
                for (int64_t k = 0; k < shape_.back(); ++k) {
                  Shape a = at, b = at;
                  a.back() = k;
                  b.front() = 0;
                  b.end()[-2] = k;
                  sum += static_cast<double>(x_[flat(shape_, a)]) *
                         static_cast<double>(y[flat(right, b)]);
                }
                return sum;
              }),
              1e-6);
}

// 16 axes of two elements each, and none of them merge; then one too many.
TEST(HighestRank, IsSixteenThatDoNotMerge) {
  const Shape shape(16, 2);
  const Floats x = numbers<float>(count_of(shape)), y = numbers<float>(count_of(shape), 2);
  Case add("Add", 14);
  add.input_in(permuted(shape), x).input_in(contiguous(shape), y);
  Floats expected;
  for (size_t i = 0; i < x.size(); ++i) expected.push_back(x[i] + y[i]);
  add.output(shape, expected).check_once();
}

TEST(HighestRank, MoreAreRefused) {
  const Shape shape(17, 2);
  const Floats x(static_cast<size_t>(count_of(shape)));
  const sy::Failure failure = Case("Add", 14)
                                  .input_in(permuted(shape), x)
                                  .input_in(contiguous(shape), x)
                                  .output(shape, x)
                                  .failure();
  EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
  EXPECT_EQ(failure.reason(), SY_REASON_RANK);
  EXPECT_STREQ(failure.what(), "more than 16 axes that cannot be merged");
}

}  // namespace
}  // namespace mps::op_tests
