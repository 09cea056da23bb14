// LayerNormalizationGradient against the formula of plugin-api/switchyard-ops.md in double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

constexpr double epsilon = 0.015625;

template <typename T>
struct Gradients {
  std::vector<T> of_x, of_scale, of_bias;
};

template <typename T>
Gradients<T> gradients_of(const std::vector<T>& grad_output, const std::vector<T>& x,
                          const std::vector<T>& scale) {
  const size_t length = scale.size();
  std::vector<double> of_scale(length, 0), of_bias(length, 0);
  Gradients<T> made;
  for (size_t line = 0; line < x.size(); line += length) {
    const auto count = static_cast<double>(length);
    double mean = 0, variance = 0, level = 0, along = 0;
    for (size_t i = 0; i < length; ++i) mean += wide(x[line + i]) / count;
    for (size_t i = 0; i < length; ++i) {
      variance += (wide(x[line + i]) - mean) * (wide(x[line + i]) - mean) / count;
    }
    const double factor = 1 / std::sqrt(variance + epsilon);
    const auto standard = [&](size_t i) { return (wide(x[line + i]) - mean) * factor; };
    for (size_t i = 0; i < length; ++i) {
      const double gradient = wide(grad_output[line + i]);
      level += gradient * wide(scale[i]) / count;
      along += gradient * wide(scale[i]) * standard(i) / count;
      of_scale[i] += gradient * standard(i);
      of_bias[i] += gradient;
    }
    for (size_t i = 0; i < length; ++i) {
      const double scaled = wide(grad_output[line + i]) * wide(scale[i]);
      made.of_x.push_back(static_cast<T>(factor * (scaled - level - standard(i) * along)));
    }
  }
  for (size_t i = 0; i < length; ++i) {
    made.of_scale.push_back(static_cast<T>(of_scale[i]));
    made.of_bias.push_back(static_cast<T>(of_bias[i]));
  }
  return made;
}

Case node(int64_t axis) {
  Case made("LayerNormalizationGradient", 1);
  made.domain("switchyard").attribute("axis", axis).attribute("epsilon", epsilon);
  made.attribute("stash_type", 1);
  return made;
}

Shape line_of(const Shape& shape, int64_t axis) {
  return Shape(axis < 0 ? shape.end() + axis : shape.begin() + axis, shape.end());
}

template <typename T>
class LayerGradientOf : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float>  ? 2e-5
                                      : std::is_same_v<T, half> ? 0x1.2p-10
                                                                : 0x1.1p-8;
};
TYPED_TEST_SUITE(LayerGradientOf, Floating);

// More lines than a part has, lines longer than a threadgroup, and of one element.
TYPED_TEST(LayerGradientOf, Lines) {
  for (const Shape& shape : {Shape{2, 7, 3}, Shape{150, 5}, Shape{3, 700}, Shape{5, 1}, Shape{9}}) {
    const auto grad_output = numbers<TypeParam>(count_of(shape), 1),
               x = numbers<TypeParam>(count_of(shape), 2);
    for (int64_t axis = -1; axis < static_cast<int64_t>(shape.size()); ++axis) {
      const Shape line = line_of(shape, axis);
      const auto scale = numbers<TypeParam>(count_of(line), 3);
      const auto expected = gradients_of(grad_output, x, scale);
      for (const bool with_scale : {true, false}) {
        for (const bool with_bias : {true, false}) {
          Case made = node(axis);
          made.input(shape, grad_output).input(shape, x).input(line, scale);
          made.output(shape, expected.of_x, this->tolerance);
          if (with_scale) made.output(line, expected.of_scale, this->tolerance);
          if (with_bias && !with_scale) made.no_output();
          if (with_bias) made.output(line, expected.of_bias, this->tolerance);
          made.check();
        }
      }
    }
  }
}

TEST(LayerGradient, NansAndInfinitiesStayOnTheirLines) {
  const Shape shape{5, 3};
  const Floats x{1, 2, 4, NAN, 1, 2, INFINITY, 1, 2, 1, 5, 2, 3, 1, 2};
  const Floats grad_output{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, NAN, 2, 1, INFINITY, 2}, scale{1, 2, 0.5};
  const auto expected = gradients_of(grad_output, x, scale);
  Case made = node(1);
  made.input(shape, grad_output).input(shape, x).input<float>({3}, scale);
  made.output(shape, expected.of_x, 1e-5).output<float>({3}, expected.of_scale);
  made.output<float>({3}, expected.of_bias).check();
}

TEST(LayerGradient, OfNoLines) {
  Case made = node(1);
  made.input<float>({0, 3}, {}).input<float>({0, 3}, {}).input<float>({3}, {1, 2, 3});
  made.output<float>({0, 3}, {}).output<float>({3}, {0, 0, 0}).output<float>({3}, {0, 0, 0});
  made.check();
}

TEST(LayerGradient, RefusesFloat64) {
  Case exact("LayerNormalizationGradient", 1);
  exact.domain("switchyard").attribute("axis", -1).attribute("stash_type", 11);
  exact.attribute("epsilon", epsilon);
  exact.input<double>({1}, {1}).input<double>({1}, {1}).input<double>({1}, {1});
  EXPECT_EQ(exact.output<double>({1}, {1}).failure().reason(), SY_REASON_DTYPE);
}

}  // namespace
}  // namespace mps::op_tests
