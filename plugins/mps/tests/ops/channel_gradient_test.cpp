// BatchNormalizationGradient and GroupNormalizationGradient against the formula of
// plugin-api/switchyard-ops.md in double.
#include <gtest/gtest.h>

#include <cmath>

#include "ops/data.hpp"
#include "ops/floating_types.hpp"

namespace mps::op_tests {
namespace {

constexpr double channel_epsilon = 0.015625;
constexpr int64_t batch = 0;  // in place of a number of groups

template <typename T>
struct ChannelGradients {
  std::vector<T> of_x, of_scale, of_bias;
};

struct ChannelLine {
  double count = 0, mean = 0, variance = 0, level = 0, along = 0;

  double factor() const { return 1 / std::sqrt(variance + channel_epsilon); }
};

// Which channel an element is of, and which elements are normalized together.
struct Elements {
  int64_t channels, rest, groups;

  Elements(const Shape& shape, int64_t groups_of_sample)
      : channels(shape[1]),
        rest(count_of(shape) / std::max<int64_t>(1, shape[0] * shape[1])),
        groups(groups_of_sample) {}
  size_t channel(size_t i) const { return static_cast<int64_t>(i) / rest % channels; }
  size_t line(size_t i) const {
    if (groups == batch) return channel(i);
    return static_cast<int64_t>(i) / (rest * channels) * groups + channel(i) * groups / channels;
  }
};

template <typename T>
ChannelGradients<T> gradients_of(const std::vector<T>& grad_output, const std::vector<T>& x,
                                 const std::vector<T>& scale, const Shape& shape, int64_t groups) {
  const Elements where(shape, groups);
  std::vector<ChannelLine> lines(shape[0] * shape[1] + shape[1]);
  std::vector<double> of_scale(scale.size(), 0), of_bias(scale.size(), 0);
  const auto line = [&](size_t i) -> ChannelLine& { return lines[where.line(i)]; };
  const auto standard = [&](size_t i) { return (wide(x[i]) - line(i).mean) * line(i).factor(); };
  for (size_t i = 0; i < x.size(); ++i) line(i).count += 1;
  for (size_t i = 0; i < x.size(); ++i) line(i).mean += wide(x[i]) / line(i).count;
  for (size_t i = 0; i < x.size(); ++i) {
    line(i).variance += std::pow(wide(x[i]) - line(i).mean, 2) / line(i).count;
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t c = where.channel(i);
    line(i).level += wide(grad_output[i]) * wide(scale[c]) / line(i).count;
    line(i).along += wide(grad_output[i]) * wide(scale[c]) * standard(i) / line(i).count;
    of_scale[c] += wide(grad_output[i]) * standard(i);
    of_bias[c] += wide(grad_output[i]);
  }
  ChannelGradients<T> made;
  for (size_t i = 0; i < x.size(); ++i) {
    const double scaled = wide(grad_output[i]) * wide(scale[where.channel(i)]);
    made.of_x.push_back(
        static_cast<T>(line(i).factor() * (scaled - line(i).level - standard(i) * line(i).along)));
  }
  for (size_t c = 0; c < scale.size(); ++c) {
    made.of_scale.push_back(static_cast<T>(of_scale[c]));
    made.of_bias.push_back(static_cast<T>(of_bias[c]));
  }
  return made;
}

Case channel_node(int64_t groups) {
  Case made(groups == batch ? "BatchNormalizationGradient" : "GroupNormalizationGradient", 1);
  made.domain("switchyard").attribute("epsilon", channel_epsilon).attribute("stash_type", 1);
  if (groups != batch) made.attribute("num_groups", groups);
  return made;
}

template <typename T>
class ChannelGradientOf : public testing::Test {
 protected:
  static constexpr double tolerance = std::is_same_v<T, float>  ? 3e-5
                                      : std::is_same_v<T, half> ? 0x1.2p-10
                                                                : 0x1.1p-8;
};
TYPED_TEST_SUITE(ChannelGradientOf, Floating);

// Lines longer than a threadgroup, of one element, of every rank; one channel, one sample.
TYPED_TEST(ChannelGradientOf, Groups) {
  for (const Shape& shape : {Shape{2, 4, 7, 3}, Shape{30, 6}, Shape{2, 2, 700}, Shape{1, 4, 1},
                             Shape{5, 1, 9}, Shape{2, 6, 2, 3, 2}, Shape{1, 1, 1}}) {
    const Shape channels = {shape[1]};
    const auto grad_output = numbers<TypeParam>(count_of(shape), 1),
               x = numbers<TypeParam>(count_of(shape), 2), scale = numbers<TypeParam>(shape[1], 3);
    for (const int64_t groups : {batch, int64_t{1}, std::max<int64_t>(1, shape[1] / 2), shape[1]}) {
      const auto expected = gradients_of(grad_output, x, scale, shape, groups);
      for (const bool with_scale : {true, false}) {
        for (const bool with_bias : {true, false}) {
          Case made = channel_node(groups);
          made.input(shape, grad_output).input(shape, x).input(channels, scale);
          made.output(shape, expected.of_x, this->tolerance);
          if (with_scale) made.output(channels, expected.of_scale, this->tolerance);
          if (with_bias && !with_scale) made.no_output();
          if (with_bias) made.output(channels, expected.of_bias, this->tolerance);
          made.check();
        }
      }
    }
  }
}

TEST(ChannelGradient, NansAndInfinitiesStayInTheirGroups) {
  const Shape shape{2, 4, 3};
  Floats x, grad_output;
  for (int i = 0; i < 24; ++i) {
    x.push_back(static_cast<float>(i * 7 % 11));
    grad_output.push_back(static_cast<float>(i * 5 % 13 - 6));
  }
  x[1] = NAN;
  x[9] = INFINITY;
  grad_output[17] = INFINITY;
  grad_output[20] = NAN;
  const Floats scale{1, 2, 0.5, -1};
  for (const int64_t groups : {batch, int64_t{2}, int64_t{4}}) {
    const auto expected = gradients_of(grad_output, x, scale, shape, groups);
    Case made = channel_node(groups);
    made.input(shape, grad_output).input(shape, x).input<float>({4}, scale);
    made.output(shape, expected.of_x, 1e-5).output<float>({4}, expected.of_scale, 1e-5);
    made.output<float>({4}, expected.of_bias).check();
  }
}

TEST(ChannelGradient, OfNumbersFarFromZero) {
  const Shape shape{2, 4, 15};
  Floats x;
  for (int i = 0; i < 120; ++i) x.push_back(1e4f + static_cast<float>(i * 7919 % 61) / 16);
  const Floats grad_output = numbers<float>(120, 4), scale = numbers<float>(4, 5);
  for (const int64_t groups : {batch, int64_t{2}}) {
    const auto expected = gradients_of(grad_output, x, scale, shape, groups);
    Case made = channel_node(groups);
    made.input(shape, grad_output).input(shape, x).input<float>({4}, scale);
    made.output(shape, expected.of_x, 3e-5).output<float>({4}, expected.of_scale, 3e-5);
    made.output<float>({4}, expected.of_bias, 1e-6).check();
  }
}

TEST(ChannelGradient, OfNoElements) {
  for (const int64_t groups : {batch, int64_t{2}}) {
    for (const Shape& shape : {Shape{0, 2, 3}, Shape{3, 2, 0}}) {
      Case made = channel_node(groups);
      made.input<float>(shape, {}).input<float>(shape, {}).input<float>({2}, {1, 2});
      made.output<float>(shape, {}).output<float>({2}, {0, 0}).output<float>({2}, {0, 0}).check();
    }
  }
}

TEST(ChannelGradient, RefusesFloat64AndWhatHasNoChannels) {
  Case exact = channel_node(batch);
  exact.input<double>({1, 1}, {1}).input<double>({1, 1}, {1}).input<double>({1}, {1});
  EXPECT_EQ(exact.output<double>({1, 1}, {1}).failure().reason(), SY_REASON_DTYPE);
  Case line = channel_node(batch);
  line.input<float>({1}, {1}).input<float>({1}, {1}).input<float>({1}, {1});
  EXPECT_EQ(line.output<float>({1}, {1}).failure().reason(), SY_REASON_RANK);
}

}  // namespace
}  // namespace mps::op_tests
