#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "closeness.hpp"
#include "harness.hpp"
#include "layouts.hpp"
#include "products.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

Value random_value(sy_dtype dtype, const Shape& shape, double low = -2, double high = 3) {
  return from_doubles(dtype, shape, numbers_between(low, high, sy::element_count(shape)));
}

// The moments of the elements that `line_of` gives one number, in row-major order of the elements.
struct Normalized {
  std::vector<double> mean, variance;

  Normalized(const Value& input, int64_t lines, const std::function<int64_t(int64_t)>& line_of) {
    const std::vector<double> x = as_doubles(input);
    std::vector<double> count(static_cast<size_t>(lines), 0);
    mean = variance = count;
    for (size_t i = 0; i < x.size(); ++i) {
      mean[line_of(i)] += x[i];
      count[line_of(i)] += 1;
    }
    for (size_t k = 0; k < mean.size(); ++k) mean[k] /= count[k];
    for (size_t i = 0; i < x.size(); ++i)
      variance[line_of(i)] += std::pow(x[i] - mean[line_of(i)], 2);
    for (size_t k = 0; k < mean.size(); ++k) variance[k] /= count[k];
  }
};

// Results near 0 come of cancellation: they are held to the size of what was cancelled.
double slack(sy_dtype dtype) {
  switch (dtype) {
    case SY_FLOAT64: return 1e-13;
    case SY_FLOAT32: return 2e-6;
    case SY_FLOAT16: return 4e-3;
    default: return 4e-2;
  }
}

// ---- LayerNormalization

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

// ---- the normalisations of channels

const Shape image = {2, 6, 5, 7};
constexpr int64_t area = 35;

struct Channelled {
  const char* op;
  int64_t lines;
  std::function<int64_t(int64_t)> line_of;
  std::function<void(OneNode&)> attributes;
};

int64_t channel_of(int64_t i) { return i / area % 6; }
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

// Channels side by side, few and many, in places that fill no whole number of rows; not all of what
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

// Few channels and many, places of less and more than a piece; means far from 0.
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

TEST(MeanVarianceNorm, DefaultAndGivenAxes) {
  for (const sy_dtype dtype : float_dtypes) {
    const Value input = random_value(dtype, image);
    const Normalized expected(input, 6, channel_of);
    std::vector<double> y;
    const std::vector<double> x = as_doubles(input);
    for (size_t i = 0; i < x.size(); ++i) {
      const int64_t c = channel_of(static_cast<int64_t>(i));
      y.push_back((x[i] - expected.mean[c]) / (std::sqrt(expected.variance[c]) + 1e-9));
    }
    for (const Value& layout : layouts_of(input)) {
      expect_near(OneNode("MeanVarianceNormalization")
                      .attribute("axes", std::vector<int64_t>{0, 2, 3})
                      .input(layout)
                      .output(dtype, image)
                      .run(),
                  y, 2, slack(dtype));
    }
  }
}

TEST(LpNorm, BothNormsAnyAxisAndZeros) {
  for (const sy_dtype dtype : float_dtypes) {
    const Value plain = from_doubles(dtype, {2, 2}, {3, 4, -6, 8});
    for (const Value& input : layouts_of(plain)) {
      const auto run = [&](int axis, int p) {
        return OneNode("LpNormalization")
            .attribute("axis", axis)
            .attribute("p", p)
            .input(input)
            .output(dtype, {2, 2})
            .run();
      };
      expect_near(run(-1, 2), {0.6, 0.8, -0.6, 0.8}, 1);
      expect_near(run(1, 1), {3.0 / 7, 4.0 / 7, -6.0 / 14, 8.0 / 14}, 1);
      expect_near(run(0, 1), {3.0 / 9, 4.0 / 12, -6.0 / 9, 8.0 / 12}, 1);
    }
  }
  expect_near(OneNode("LpNormalization")
                  .attribute("axis", 0)
                  .attribute("p", 2)
                  .input(value<float>({2}, {0, 0}))
                  .output(SY_FLOAT32, {2})
                  .run(),
              {0, 0}, 0);
}

TEST(Lrn, WindowsOfEverySize) {
  for (const sy_dtype dtype : float_dtypes) {
    for (const int size : {1, 3, 4, 9}) {
      for (const double beta : {0.75, 0.5}) {
        const Value plain = random_value(dtype, image);
        const std::vector<double> x = as_doubles(plain);
        std::vector<double> y;
        for (size_t i = 0; i < x.size(); ++i) {
          const int64_t c = channel_of(static_cast<int64_t>(i));
          double sum = 0;
          for (int64_t k = std::max<int64_t>(0, c - (size - 1) / 2);
               k <= std::min<int64_t>(5, c + size / 2); ++k) {
            sum += std::pow(x[static_cast<int64_t>(i) + (k - c) * area], 2);
          }
          y.push_back(x[i] / std::pow(1.5 + static_cast<double>(0.3f) / size * sum, beta));
        }
        for (const Value& input : layouts_of(plain)) {
          expect_near(OneNode("LRN")
                          .attribute("size", size)
                          .attribute("alpha", 0.3)
                          .attribute("beta", beta)
                          .attribute("bias", 1.5)
                          .input(input)
                          .output(dtype, image)
                          .run(),
                      y, 6);
        }
      }
    }
  }
}

TEST(NormalizationRefusals, NameTheReason) {
  OneNode lp("LpNormalization");
  lp.attribute("p", 3).input(value<float>({1}, {1})).output(SY_FLOAT32, {1});
  EXPECT_EQ(lp.verdict().reason, SY_REASON_ATTRIBUTE);
  OneNode group("GroupNormalization");
  group.attribute("num_groups", 4)
      .attribute("epsilon", 1e-5)
      .input(random_value(SY_FLOAT32, image))
      .input(random_value(SY_FLOAT32, {6}))
      .input(random_value(SY_FLOAT32, {6}))
      .output(SY_FLOAT32, image);
  EXPECT_THROW(group.run(), sy::Failure);
}

}  // namespace
}  // namespace cpu::testing
