// The gradients of Softmax and LogSoftmax against their formulas in double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

Numbers of_softmax(const Numbers& gradient, const Numbers& y) {
  double sum = 0;
  for (size_t i = 0; i < y.size(); ++i) sum += gradient[i] * y[i];
  Numbers made;
  for (size_t i = 0; i < y.size(); ++i) made.push_back(y[i] * (gradient[i] - sum));
  return made;
}

Numbers of_log_softmax(const Numbers& gradient, const Numbers& y) {
  double sum = 0;
  for (const double grad : gradient) sum += grad;
  Numbers made;
  for (size_t i = 0; i < y.size(); ++i) made.push_back(gradient[i] - std::exp(y[i]) * sum);
  return made;
}

struct GradientCase {
  std::string op;
  std::function<Numbers(const Numbers&, const Numbers&)> line;
};

class SoftmaxGradient : public ::testing::TestWithParam<GradientCase> {
 protected:
  static Numbers expected(const Value& gradient, const Value& y, int axis) {
    const Numbers grads = as_doubles(gradient), made = as_doubles(y);
    const size_t rank = y.shape.size(), position = axis < 0 ? rank + axis : axis;
    int64_t inner = 1;
    for (size_t i = position + 1; i < rank; ++i) inner *= y.shape[i];
    const int64_t length = y.shape[position];
    Numbers want(made.size());
    for (int64_t start = 0; start < static_cast<int64_t>(made.size()); ++start) {
      if (start / inner % length != 0) continue;
      Numbers g, line;
      for (int64_t k = 0; k < length; ++k) {
        g.push_back(grads[start + k * inner]);
        line.push_back(made[start + k * inner]);
      }
      const Numbers result = GetParam().line(g, line);
      for (int64_t k = 0; k < length; ++k) want[start + k * inner] = result[k];
    }
    return want;
  }

  OneNode node(const Value& gradient, const Value& y, int axis) const {
    OneNode made(GetParam().op, 1, switchyard_domain);
    made.attribute("axis", axis).input(gradient).input(y);
    return made;
  }

  // Sums lose digits where what is joined cancels.
  void expect_right(const Value& gradient, const Value& y, int axis, const Shape& strides = {}) {
    const double length =
        std::abs(static_cast<double>(y.shape[axis < 0 ? axis + y.shape.size() : axis]));
    const bool narrow = y.dtype == SY_FLOAT16 || y.dtype == SY_BFLOAT16;
    const double loss = (y.dtype == SY_FLOAT64 ? 1e-15 : 2e-6) * (4 + std::sqrt(length));
    expect_near(node(gradient, y, axis).output(y.dtype, y.shape, strides).run(),
                expected(gradient, y, axis), narrow ? 0.51 : 3, loss);
  }
};

TEST_P(SoftmaxGradient, EveryAxisLayoutAndType) {
  const Shape shape = {3, 18, 19};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    SCOPED_TRACE(sy::dtype_name(dtype));
    const Value gradient = random(dtype, shape, 1), y = random(dtype, shape, 2);
    const std::vector<Value> gradients = layouts_of(gradient), ys = layouts_of(y);
    for (size_t i = 0; i < ys.size(); ++i) {
      for (const int axis : {-1, 0, 1}) {
        expect_right(gradients[i], ys[(i + 1) % ys.size()], axis);
        expect_right(gradients[i], y, axis, transposed(y, {2, 0, 1}).strides);
      }
    }
  }
}

TEST_P(SoftmaxGradient, LongLinesAndMany) {
  const auto check = [&](const Shape& shape, int axis) {
    expect_right(random(SY_FLOAT32, shape, 3), random(SY_FLOAT32, shape, 4), axis);
  };
  check({2, 70'001}, 1);
  check({7168, 28}, 1);
  check({300, 700}, 0);
  check({5}, 0);
  check({1}, -1);
}

TEST_P(SoftmaxGradient, InPlaceOfNoRankAndOfNothing) {
  const Value gradient = random(SY_FLOAT32, {40, 33}, 5), y = random(SY_FLOAT32, {40, 33}, 6);
  for (const int axis : {0, 1}) {
    expect_near(node(gradient, y, axis).output_over(0).run(), expected(gradient, y, axis), 3, 1e-6);
  }
  const Value one = from_doubles(SY_FLOAT32, {}, {2}), share = from_doubles(SY_FLOAT32, {}, {0.5});
  expect_near(node(one, share, -1).output(SY_FLOAT32, {}).run(), GetParam().line({2}, {0.5}), 2);
  for (const Shape& shape : {Shape{2, 0}, Shape{0, 2}}) {
    const Value nothing = blank(SY_FLOAT32, shape);
    EXPECT_EQ(node(nothing, nothing, 1).output(SY_FLOAT32, shape).run().size(), 0);
  }
}

TEST_P(SoftmaxGradient, NansAndInfinitiesStayOnTheirLines) {
  const Numbers grads = {1, 2, nan, 4, infinity, 6, 7, 8, -1, 3, 2, 1};
  const Numbers made = {0.5, 0.5, 0.25, 0.75, 0.25, 0.75, nan, nan, 0, 1, 1, 0};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const Value gradient = from_doubles(dtype, {6, 2}, grads),
                y = from_doubles(dtype, {6, 2}, made);
    expect_near(node(gradient, y, 1).output(dtype, {6, 2}).run(), expected(gradient, y, 1), 2);
  }
}

INSTANTIATE_TEST_SUITE_P(All, SoftmaxGradient,
                         ::testing::Values(GradientCase{"SoftmaxGradient", of_softmax},
                                           GradientCase{"LogSoftmaxGradient", of_log_softmax}),
                         [](const auto& info) { return info.param.op; });

}  // namespace
}  // namespace cpu::testing
