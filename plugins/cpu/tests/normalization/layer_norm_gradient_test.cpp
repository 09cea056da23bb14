// LayerNormalizationGradient against its formula in double.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

constexpr double layer_norm_epsilon = 0.015625;
using Numbers = std::vector<double>;

struct Gradients {
  Numbers of_x, of_scale, of_bias;
};

// Lines of `length` elements one after the other.
Gradients gradients_of(const Numbers& grads, const Numbers& x, const Numbers& scale) {
  const size_t length = scale.size(), lines = length == 0 ? 0 : x.size() / length;
  Gradients made{{}, Numbers(length, 0), Numbers(length, 0)};
  for (size_t line = 0; line < lines; ++line) {
    const double* g = grads.data() + line * length;
    const double* from = x.data() + line * length;
    const auto count = static_cast<double>(length);
    double mean = 0, variance = 0, level = 0, along = 0;
    for (size_t i = 0; i < length; ++i) mean += from[i] / count;
    for (size_t i = 0; i < length; ++i) variance += (from[i] - mean) * (from[i] - mean) / count;
    const double factor = 1 / std::sqrt(variance + layer_norm_epsilon);
    for (size_t i = 0; i < length; ++i) {
      const double standard = (from[i] - mean) * factor;
      level += g[i] * scale[i] / count;
      along += g[i] * scale[i] * standard / count;
      made.of_scale[i] += g[i] * standard;
      made.of_bias[i] += g[i];
    }
    for (size_t i = 0; i < length; ++i) {
      made.of_x.push_back(factor * (g[i] * scale[i] - level - (from[i] - mean) * factor * along));
    }
  }
  return made;
}

Shape line_of(const Shape& shape, int axis) {
  return Shape(axis < 0 ? shape.end() + axis : shape.begin() + axis, shape.end());
}

OneNode node(const Value& grads, const Value& x, const Value& scale, int axis) {
  OneNode made("LayerNormalizationGradient", 1, switchyard_domain);
  made.attribute("axis", axis).attribute("epsilon", layer_norm_epsilon);
  made.attribute("stash_type", x.dtype == SY_FLOAT64 ? 11 : 1);
  made.input(grads).input(x).input(scale);
  return made;
}

struct Bounds {
  double units, absolute;
};

// One rounding of narrow results; sums of many lose digits.
Bounds bounds_of(sy_dtype dtype, int64_t summed) {
  const double loss = std::sqrt(static_cast<double>(summed)) + 8;
  if (dtype == SY_FLOAT64) return {8, 1e-15 * loss};
  return {dtype == SY_FLOAT32 ? 8 : 0.51, 4e-7 * loss};
}

void expect_right_gradients(const Value& grads, const Value& x, const Value& scale, int axis,
                            const Shape& strides = {}) {
  const Gradients want = gradients_of(as_doubles(grads), as_doubles(x), as_doubles(scale));
  const int64_t lines = scale.size() == 0 ? 0 : x.size() / scale.size();
  const Bounds one = bounds_of(x.dtype, scale.size()), all = bounds_of(x.dtype, lines);
  const std::vector<Value> made = node(grads, x, scale, axis)
                                      .output(x.dtype, x.shape, strides)
                                      .output(x.dtype, scale.shape, scale.strides, scale.offset)
                                      .output(x.dtype, scale.shape)
                                      .run_all();
  expect_near(made[0], want.of_x, one.units, one.absolute);
  expect_near(made[1], want.of_scale, all.units, all.absolute * 4);
  expect_near(made[2], want.of_bias, all.units, all.absolute * 4);
  const Value alone = node(grads, x, scale, axis).output(x.dtype, x.shape).run();
  EXPECT_EQ(as_doubles(alone), as_doubles(made[0])) << "the same without scale and bias";
}

TEST(LayerNormalizationGradient, EveryAxisLayoutAndType) {
  const Shape shape = {5, 7, 9};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16, SY_BFLOAT16}) {
    SCOPED_TRACE(sy::dtype_name(dtype));
    const std::vector<Value> grads = layouts_of(random(dtype, shape, 1)),
                             xs = layouts_of(random(dtype, shape, 2));
    for (const int axis : {-1, 0, 1, 2}) {
      const std::vector<Value> scales = layouts_of(random(dtype, line_of(shape, axis), 3));
      for (size_t i = 0; i < xs.size(); ++i) {
        expect_right_gradients(grads[i], xs[(i + 1) % xs.size()], scales[i % scales.size()], axis);
        expect_right_gradients(grads[i], xs[i], scales[0], axis,
                               transposed(xs[0], {2, 0, 1}).strides);
      }
    }
  }
}

TEST(LayerNormalizationGradient, ManyLinesLongOnesAndOne) {
  const auto check = [](const Shape& shape, int axis) {
    expect_right_gradients(random(SY_FLOAT32, shape, 4), random(SY_FLOAT32, shape, 5),
                           random(SY_FLOAT32, line_of(shape, axis), 6), axis);
  };
  check({1792, 128}, -1);
  check({5001, 33}, 1);
  check({3, 50'021}, 1);
  check({9}, 0);
  check({4, 1}, -1);
  check({2, 3, 300}, 0);
}

TEST(LayerNormalizationGradient, WantedOutputsAlone) {
  const Shape shape = {40, 6};
  const Value grads = random(SY_FLOAT32, shape, 7), x = random(SY_FLOAT32, shape, 8),
              scale = random(SY_FLOAT32, {6}, 9);
  const Gradients want = gradients_of(as_doubles(grads), as_doubles(x), as_doubles(scale));
  OneNode bias = node(grads, x, scale, 1);
  bias.output(SY_FLOAT32, shape).absent_output().output(SY_FLOAT32, {6});
  expect_near(bias.run_all().back(), want.of_bias, 8, 1e-5);
  OneNode scales = node(grads, x, scale, 1);
  scales.output_over(0).output(SY_FLOAT32, {6});
  const std::vector<Value> made = scales.run_all();
  expect_near(made[0], want.of_x, 8, 1e-5);
  expect_near(made[1], want.of_scale, 8, 1e-5);
}

TEST(LayerNormalizationGradient, OfNothing) {
  const Value none = blank(SY_FLOAT32, {0, 3}), scale = from_doubles(SY_FLOAT32, {3}, {1, 2, 3});
  const std::vector<Value> made = node(none, none, scale, 1)
                                      .output(SY_FLOAT32, {0, 3})
                                      .output(SY_FLOAT32, {3})
                                      .output(SY_FLOAT32, {3})
                                      .run_all();
  EXPECT_EQ(as_doubles(made[1]), (Numbers{0, 0, 0}));
  EXPECT_EQ(as_doubles(made[2]), (Numbers{0, 0, 0}));
  const Value empty = blank(SY_FLOAT32, {3, 0}), nothing = blank(SY_FLOAT32, {0});
  EXPECT_EQ(node(empty, empty, nothing, 1)
                .output(SY_FLOAT32, {3, 0})
                .output(SY_FLOAT32, {0})
                .run_all()
                .size(),
            2u);
}

TEST(LayerNormalizationGradient, NansAndInfinitiesStayOnTheirLines) {
  const Numbers x = {1, 2, 4, nan, 1, 2, infinity, 1, 2, 1, 5, 2, 3, 1, 2};
  const Numbers grads = {1, 2, 3, 1, 2, 3, 1, 2, 3, 1, nan, 2, 1, infinity, 2};
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const Value g = from_doubles(dtype, {5, 3}, grads), from = from_doubles(dtype, {5, 3}, x),
                scale = from_doubles(dtype, {3}, {1, 2, 0.5});
    const Gradients want = gradients_of(grads, x, as_doubles(scale));
    const std::vector<Value> made = node(g, from, scale, 1)
                                        .output(dtype, {5, 3})
                                        .output(dtype, {3})
                                        .output(dtype, {3})
                                        .run_all();
    expect_near(made[0], want.of_x, 4, 1e-6);
    expect_near(made[1], want.of_scale, 0);
    expect_near(made[2], want.of_bias, 0);
  }
}

// Pieces follow from the shape alone.
TEST(LayerNormalizationGradient, IsTheSameInEveryRun) {
  const Shape shape = {3000, 65};
  const Value grads = random(SY_FLOAT32, shape, 10), x = random(SY_FLOAT32, shape, 11),
              scale = random(SY_FLOAT32, {65}, 12);
  const auto run = [&] {
    OneNode made = node(grads, x, scale, 1);
    made.output(SY_FLOAT32, shape).output(SY_FLOAT32, {65}).output(SY_FLOAT32, {65});
    return as_doubles(made.run_all()[1]);
  };
  const Numbers first = run();
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(), first);
}

}  // namespace
}  // namespace cpu::testing
