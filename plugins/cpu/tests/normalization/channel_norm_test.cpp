#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "normalization/moments.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

struct Channelled {
  const char* op;
  int64_t lines;
  std::function<int64_t(int64_t)> line_of;
  std::function<void(OneNode&)> attributes;
};

int64_t sample_of(int64_t i) { return i / area / 6; }

void expect_channelled(const Channelled& c, const Value& input, const Shape& strides) {
  const Value scale = random_value(input.dtype, {6}, 0.5, 1.5);
  const Value bias = random_value(input.dtype, {6}, -1, 1);
  OneNode node(c.op);
  c.attributes(node);
  const Value output = node.attribute("epsilon", 1e-3)
                           .input(input)
                           .input(scale)
                           .input(bias)
                           .output(input.dtype, input.shape, strides)
                           .run();
  const Normalized expected(input, c.lines, c.line_of);
  const std::vector<double> x = as_doubles(input);
  std::vector<double> y;
  for (size_t i = 0; i < x.size(); ++i) {
    const int64_t line = c.line_of(i);
    const int64_t channel = channel_of(static_cast<int64_t>(i));
    y.push_back((x[i] - expected.mean[line]) / std::sqrt(expected.variance[line] + 1e-3f) *
                    as_doubles(scale)[channel] +
                as_doubles(bias)[channel]);
  }
  expect_near(output, y, 2, slack(input.dtype));
}

TEST(ChannelNorm, InstanceAndGroupInEveryTypeAndLayout) {
  const std::vector<Channelled> all = {
      {"InstanceNormalization", 12, [](int64_t i) { return i / area; }, [](OneNode&) {}},
      {"GroupNormalization", 4, [](int64_t i) { return sample_of(i) * 2 + channel_of(i) / 3; },
       [](OneNode& n) { n.attribute("num_groups", 2); }},
  };
  for (const Channelled& c : all) {
    for (const sy_dtype dtype : float_dtypes) {
      const Value plain = random_value(dtype, image);
      for (const Value& input : layouts_of(plain)) expect_channelled(c, input, {});
      const Value channels_last = transposed(plain, {0, 2, 3, 1});
      expect_channelled(c, channels_last, channels_last.strides);
    }
  }
}

struct BatchValues {
  Value input, scale, bias, mean, variance;

  explicit BatchValues(sy_dtype dtype)
      : input(random_value(dtype, image)),
        scale(random_value(dtype, {6}, 0.5, 1.5)),
        bias(random_value(dtype, {6}, -1, 1)),
        mean(random_value(dtype, {6}, -1, 1)),
        variance(random_value(dtype, {6}, 0.5, 2)) {}

  OneNode node(const Value& layout, bool training) const {
    OneNode made("BatchNormalization");
    made.attribute("epsilon", 1e-3)
        .attribute("momentum", 0.75)
        .attribute("training_mode", training ? 1 : 0)
        .input(layout)
        .input(scale)
        .input(bias)
        .input(mean)
        .input(variance);
    return made;
  }

  std::vector<double> expected(const std::vector<double>& m, const std::vector<double>& v) const {
    const std::vector<double> x = as_doubles(input);
    std::vector<double> y;
    for (size_t i = 0; i < x.size(); ++i) {
      const int64_t c = channel_of(static_cast<int64_t>(i));
      y.push_back((x[i] - m[c]) / std::sqrt(v[c] + 1e-3f) * as_doubles(scale)[c] +
                  as_doubles(bias)[c]);
    }
    return y;
  }
};

TEST(BatchNorm, InferenceInEveryTypeAndLayout) {
  for (const sy_dtype dtype : float_dtypes) {
    const BatchValues values(dtype);
    for (const Value& layout : layouts_of(values.input)) {
      const Value output = values.node(layout, false).output(dtype, image).run();
      expect_near(output, values.expected(as_doubles(values.mean), as_doubles(values.variance)), 2,
                  slack(dtype));
    }
  }
}

// Channels side by side, few and many, in places that do not fill whole rows; not all of what
// is normalized need be a number.
void expect_channels_last(sy_dtype dtype, const Shape& shape, const std::vector<size_t>& order) {
  const int64_t channels = shape[1];
  std::vector<double> x = as_doubles(random_value(dtype, shape));
  for (size_t i = 3; i < x.size(); i += 101) x[i] = std::nan("");
  for (size_t i = 7; i < x.size(); i += 103) x[i] = i % 2 == 0 ? INFINITY : -INFINITY;
  const Value scale = random_value(dtype, {channels}, 0.5, 1.5);
  const Value bias = random_value(dtype, {channels}, -1, 1);
  const Value mean = random_value(dtype, {channels}, -1, 1);
  const Value variance = random_value(dtype, {channels}, 0.5, 2);
  const std::vector<double> s = as_doubles(scale), b = as_doubles(bias), m = as_doubles(mean),
                            v = as_doubles(variance);
  const auto inner = sy::element_count(shape) / shape[0] / channels;
  std::vector<double> y;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t c = i / inner % channels;
    y.push_back((x[i] - m[c]) / std::sqrt(v[c] + 1e-3f) * s[c] + b[c]);
  }
  const Value input = transposed(from_doubles(dtype, shape, x), order);
  const auto node = [&] {
    OneNode made("BatchNormalization");
    made.attribute("epsilon", 1e-3).input(input).input(scale).input(bias).input(mean);
    made.input(variance);
    return made;
  };
  expect_near(node().output(dtype, shape, input.strides).run(), y, 2, slack(dtype));
  expect_near(node().output_over(0).run(), y, 2, slack(dtype));
  expect_near(node().output(dtype, shape).run(), y, 2, slack(dtype));
}

TEST(BatchNorm, ChannelsSideBySide) {
  for (const sy_dtype dtype : float_dtypes) {
    for (const int64_t channels : {1, 2, 3, 4, 5, 8, 17, 64, 300, 700}) {
      SCOPED_TRACE(channels);
      expect_channels_last(dtype, {2, channels, 5, 29}, {0, 2, 3, 1});
      expect_channels_last(dtype, {1, channels, 3, 1}, {0, 2, 3, 1});
      expect_channels_last(dtype, {130, channels}, {0, 1});
      expect_channels_last(dtype, {2, channels, 9, 7}, {2, 3, 0, 1});
    }
  }
}

TEST(BatchNorm, ChannelsSideBySideOnThreads) {
  expect_channels_last(SY_FLOAT32, {2, 24, 111, 113}, {0, 2, 3, 1});
  expect_channels_last(SY_FLOAT16, {2, 24, 111, 113}, {0, 2, 3, 1});
}

TEST(BatchNorm, TrainingTellsItsRunningMoments) {
  const BatchValues values(SY_FLOAT32);
  const auto outputs = values.node(values.input, true)
                           .output(SY_FLOAT32, image)
                           .output(SY_FLOAT32, {6})
                           .output(SY_FLOAT32, {6})
                           .run_all();
  const Normalized now(values.input, 6, channel_of);
  expect_near(outputs[0], values.expected(now.mean, now.variance), 2, slack(SY_FLOAT32));
  std::vector<double> mean, variance;
  for (size_t c = 0; c < 6; ++c) {
    mean.push_back(as_doubles(values.mean)[c] * 0.75 + now.mean[c] * 0.25);
    variance.push_back(as_doubles(values.variance)[c] * 0.75 + now.variance[c] * 0.25);
  }
  expect_near(outputs[1], mean, 4, 1e-7);
  expect_near(outputs[2], variance, 4, 1e-7);
}

// Few channels and many, positions of less and more than a piece; means far from 0.
TEST(BatchNorm, TrainingOnChannelsLast) {
  for (const sy_dtype dtype : float_dtypes) {
    for (const int64_t channels : {2, 3, 6, 32, 300}) {
      for (const int64_t rows : {1, 7, 131}) {
        const Shape shape = {3, channels, rows, 5};
        SCOPED_TRACE(sy::text(sy::dtype_name(dtype), " ", shape));
        const Value x = random_value(dtype, shape, 20, 22);
        const std::vector<double> numbers = as_doubles(x);
        const auto channel = [&](int64_t i) { return i / (rows * 5) % channels; };
        const Normalized now(x, channels, channel);
        std::vector<double> y, zeros(static_cast<size_t>(channels), 0.0);
        for (size_t i = 0; i < numbers.size(); ++i) {
          const int64_t c = channel(static_cast<int64_t>(i));
          y.push_back((numbers[i] - now.mean[c]) / std::sqrt(now.variance[c] + 1e-3f));
        }
        OneNode node("BatchNormalization");
        node.attribute("epsilon", 1e-3).attribute("momentum", 0.0).attribute("training_mode", 1);
        const Value zero = from_doubles(SY_FLOAT32, {channels}, zeros);
        const Value one =
            from_doubles(SY_FLOAT32, {channels}, std::vector<double>(zeros.size(), 1));
        node.input(channels_last(x)).input(one).input(zero).input(zero).input(one);
        node.output(dtype, shape).output(SY_FLOAT32, {channels}).output(SY_FLOAT32, {channels});
        const std::vector<Value> made = node.accept_strides().run_all();
        expect_near(made[0], y, 2, dtype == SY_FLOAT64 ? 1e-11 : std::max(slack(dtype), 4e-5));
        expect_near(made[1], now.mean, 4, 1e-6);
        expect_near(made[2], now.variance, 4, 1e-6);
      }
    }
  }
}

TEST(BatchNorm, TwoDimensionsMixedTypesAndMany) {
  const Value input = random_value(SY_FLOAT16, {3, 2});
  const Value ones = value<float>({2}, {1, 1});
  const Value zeros = value<float>({2}, {0, 0});
  const Value output = OneNode("BatchNormalization")
                           .attribute("epsilon", 0.0)
                           .input(input)
                           .input(ones)
                           .input(zeros)
                           .input(zeros)
                           .input(ones)
                           .output(SY_FLOAT16, {3, 2})
                           .run();
  EXPECT_EQ(as_doubles(output), as_doubles(input));
  const Shape large = {4, 6, 111, 113};
  const Value many = random_value(SY_FLOAT32, large);
  OneNode node("BatchNormalization");
  const Value six = value<float>({6}, {0, 0, 0, 0, 0, 0});
  const Value six_ones = value<float>({6}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(as_doubles(node.attribute("epsilon", 0.0)
                           .input(many)
                           .input(six_ones)
                           .input(six)
                           .input(six)
                           .input(six_ones)
                           .output(SY_FLOAT32, large)
                           .run()),
            as_doubles(many));
}

}  // namespace
}  // namespace cpu::testing
