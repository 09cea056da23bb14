#include <gtest/gtest.h>

#include <cmath>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "normalization/moments.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

void expect_layer_norm(const Value& input, int axis, bool with_bias, const Shape& strides = {}) {
  const size_t first = axis < 0 ? input.shape.size() + axis : axis;
  const Shape line(input.shape.begin() + static_cast<std::ptrdiff_t>(first), input.shape.end());
  Shape kept = input.shape;
  for (size_t i = first; i < kept.size(); ++i) kept[i] = 1;
  const int64_t length = sy::element_count(line);
  const Value scale = random_value(input.dtype, line, 0.5, 1.5);
  const Value bias = random_value(input.dtype, line, -1, 1);
  OneNode node("LayerNormalization");
  node.attribute("axis", axis).attribute("epsilon", 1e-5).attribute("stash_type", 1);
  node.input(input).input(scale);
  if (with_bias) node.input(bias);
  const sy_dtype moment = input.dtype == SY_FLOAT64 ? SY_FLOAT64 : SY_FLOAT32;
  const auto outputs = node.output(input.dtype, input.shape, strides)
                           .output(moment, kept)
                           .output(moment, kept)
                           .run_all();
  const Normalized expected(input, input.size() / length, [&](int64_t i) { return i / length; });
  const std::vector<double> x = as_doubles(input);
  const std::vector<double> s = as_doubles(scale);
  const std::vector<double> b = as_doubles(bias);
  std::vector<double> y, factors;
  for (const double variance : expected.variance)
    factors.push_back(1 / std::sqrt(variance + 1e-5f));
  for (size_t i = 0; i < x.size(); ++i) {
    y.push_back((x[i] - expected.mean[i / length]) * factors[i / length] * s[i % length] +
                (with_bias ? b[i % length] : 0));
  }
  expect_near(outputs[0], y, 2, slack(input.dtype));
  expect_near(outputs[1], expected.mean, 4, 1e-6);
  expect_near(outputs[2], factors, 8);
}

TEST(LayerNorm, EveryTypeLayoutAndAxis) {
  for (const sy_dtype dtype : float_dtypes) {
    for (const Value& input : layouts_of(random_value(dtype, {3, 4, 17}))) {
      for (const int axis : {-1, 1, 0}) expect_layer_norm(input, axis, axis != 1);
      expect_layer_norm(input, -1, true, {1, 3, 12});
    }
  }
}

TEST(LayerNorm, ManyLines) {
  expect_layer_norm(random_value(SY_FLOAT32, {2000, 129}), -1, true);
  expect_layer_norm(random_value(SY_FLOAT32, {3, 100'000}), -1, false);
}

// As of an infinite variance, though no double holds the square of what the mean lacks either.
TEST(LayerNorm, LinesTooLargeToSquareAreZero) {
  std::vector<double> x(96, 1);
  x[51] = 1e200;
  const Value output = OneNode("LayerNormalization")
                           .attribute("axis", -1)
                           .attribute("epsilon", 1e-5)
                           .input(from_doubles(SY_FLOAT64, {1, 96}, x))
                           .input(from_doubles(SY_FLOAT64, {96}, std::vector<double>(96, 1)))
                           .output(SY_FLOAT64, {1, 96})
                           .run();
  expect_near(output, std::vector<double>(96, 0), 2);
}

TEST(LayerNorm, ScaleMayBroadcastAndOtherOutputsBeLeftOut) {
  const Value input = from_doubles(SY_FLOAT32, {2, 2}, {1, 3, 5, 9});
  const Value output = OneNode("LayerNormalization")
                           .attribute("axis", -1)
                           .attribute("epsilon", 0.0)
                           .input(input)
                           .input(value<float>({1}, {2}))
                           .output(SY_FLOAT32, {2, 2})
                           .run();
  expect_near(output, {-2, 2, -2, 2}, 2);
}

TEST(RmsNorm, EveryTypeAndLayout) {
  for (const sy_dtype dtype : float_dtypes) {
    const Value plain = random_value(dtype, {3, 4, 17});
    const std::vector<double> x = as_doubles(plain);
    for (const int axis : {-1, 1}) {
      const int64_t length = axis == -1 ? 17 : 4 * 17;
      const Shape scale_shape = axis == -1 ? Shape{17} : Shape{4, 17};
      const Value scale = random_value(dtype, scale_shape);
      const std::vector<double> factors = as_doubles(scale);
      std::vector<double> want(x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        const size_t first = i / length * length;
        double squares = 0;
        for (int64_t k = 0; k < length; ++k) squares += x[first + k] * x[first + k];
        const double root = std::sqrt(squares / static_cast<double>(length) + 0.5);
        want[i] = x[i] / root * factors[i % length];
      }
      for (const Value& input : layouts_of(plain)) {
        const Value y = OneNode("RMSNormalization", 23)
                            .attribute("axis", axis)
                            .attribute("epsilon", 0.5)
                            .input(input)
                            .input(scale)
                            .output(dtype, plain.shape)
                            .run();
        expect_near(y, want, 4);
      }
    }
  }
  EXPECT_EQ(OneNode("RMSNormalization", 23)
                .input(from_doubles(SY_FLOAT32, {0, 2}, {}))
                .input(value<float>({2}, {1, 1}))
                .output(SY_FLOAT32, {0, 2})
                .run()
                .size(),
            0);
}

}  // namespace
}  // namespace cpu::testing
