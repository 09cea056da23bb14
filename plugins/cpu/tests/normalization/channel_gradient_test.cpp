// BatchNormalizationGradient and GroupNormalizationGradient against their formula in double.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/not_finite.hpp"
#include "harness/products.hpp"
#include "machine/parallel.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

constexpr double channel_epsilon = 0.015625;
constexpr int64_t batch = 0;  // in place of a number of groups
using Numbers = std::vector<double>;

struct ChannelGradients {
  Numbers of_x, of_scale, of_bias;
};

// Which channel an element is of, and which elements are normalized together.
struct Elements {
  int64_t channels, rest, groups;

  Elements(const Shape& shape, int64_t groups_of_sample)
      : channels(shape[1]),
        rest(sy::element_count(sy::Extents(shape).subspan(2))),
        groups(groups_of_sample) {}
  int64_t channel(int64_t i) const { return i / rest % channels; }
  int64_t line(int64_t i) const {
    if (groups == batch) return channel(i);
    return i / (rest * channels) * groups + channel(i) / (channels / groups);
  }
  int64_t lines(int64_t samples) const { return groups == batch ? channels : samples * groups; }
};

ChannelGradients formula(const Numbers& grads, const Numbers& x, const Numbers& scale,
                         const Shape& shape, int64_t groups) {
  const Elements where(shape, groups);
  struct Line {
    double count = 0, mean = 0, variance = 0, level = 0, along = 0;
  };
  std::vector<Line> lines(static_cast<size_t>(where.lines(shape[0])));
  const auto each = [&](auto body) {
    for (size_t i = 0; i < x.size(); ++i) {
      const auto at = static_cast<int64_t>(i);
      body(i, lines[where.line(at)], static_cast<size_t>(where.channel(at)));
    }
  };
  const auto standard = [&](size_t i, const Line& line) {
    return (x[i] - line.mean) / std::sqrt(line.variance + channel_epsilon);
  };
  ChannelGradients made{{}, Numbers(scale.size(), 0), Numbers(scale.size(), 0)};
  each([&](size_t, Line& line, size_t) { line.count += 1; });
  each([&](size_t i, Line& line, size_t) { line.mean += x[i] / line.count; });
  each([&](size_t i, Line& line, size_t) {
    line.variance += (x[i] - line.mean) * (x[i] - line.mean) / line.count;
  });
  each([&](size_t i, Line& line, size_t c) {
    line.level += grads[i] * scale[c] / line.count;
    line.along += grads[i] * scale[c] * standard(i, line) / line.count;
    made.of_scale[c] += grads[i] * standard(i, line);
    made.of_bias[c] += grads[i];
  });
  each([&](size_t i, const Line& line, size_t c) {
    made.of_x.push_back((grads[i] * scale[c] - line.level - standard(i, line) * line.along) /
                        std::sqrt(line.variance + channel_epsilon));
  });
  return made;
}

OneNode gradient_node(const Value& grads, const Value& x, const Value& scale, int64_t groups) {
  OneNode made(groups == batch ? "BatchNormalizationGradient" : "GroupNormalizationGradient", 1,
               switchyard_domain);
  if (groups != batch) made.attribute("num_groups", groups);
  made.attribute("epsilon", channel_epsilon);
  made.attribute("stash_type", x.dtype == SY_FLOAT64 ? 11 : 1);
  made.input(grads).input(x).input(scale);
  return made;
}

struct ChannelBounds {
  double units, absolute;
};

// One rounding of narrow results; sums of many lose digits.
ChannelBounds bounds_for(sy_dtype dtype, int64_t summed) {
  const double loss = std::sqrt(static_cast<double>(summed)) + 8;
  if (dtype == SY_FLOAT64) return {8, 1e-15 * loss};
  return {dtype == SY_FLOAT32 ? 8 : 0.51, 4e-7 * loss};
}

void expect_gradients(const Value& grads, const Value& x, const Value& scale, int64_t groups,
                      const Shape& strides = {}) {
  const ChannelGradients want =
      formula(as_doubles(grads), as_doubles(x), as_doubles(scale), x.shape, groups);
  const int64_t summed = x.size() / std::max<int64_t>(1, scale.size());
  const ChannelBounds one = bounds_for(x.dtype, 1), all = bounds_for(x.dtype, summed);
  const std::vector<Value> made = gradient_node(grads, x, scale, groups)
                                      .output(x.dtype, x.shape, strides)
                                      .output(x.dtype, scale.shape, scale.strides, scale.offset)
                                      .output(x.dtype, scale.shape)
                                      .run_all();
  expect_near(made[0], want.of_x, one.units, one.absolute * 4);
  expect_near(made[1], want.of_scale, all.units, all.absolute * 4);
  expect_near(made[2], want.of_bias, all.units, all.absolute * 4);
  const Value alone = gradient_node(grads, x, scale, groups).output(x.dtype, x.shape).run();
  expect_near(alone, as_doubles(made[0]), 0);
}

TEST(ChannelNormalizationGradient, EveryLayoutAndType) {
  const Shape shape = {3, 6, 5, 7};
  for (const sy_dtype dtype : float_dtypes) {
    SCOPED_TRACE(sy::dtype_name(dtype));
    const std::vector<Value> grads = pool_layouts(random(dtype, shape, 1)),
                             xs = pool_layouts(random(dtype, shape, 2)),
                             scales = layouts_of(random(dtype, {6}, 3));
    for (const int64_t groups : {batch, int64_t{1}, int64_t{2}, int64_t{6}}) {
      SCOPED_TRACE(groups);
      for (size_t i = 0; i < xs.size(); ++i) {
        expect_gradients(grads[i], xs[i], scales[i % scales.size()], groups);
        expect_gradients(grads[i], xs[(i + 1) % xs.size()], scales[0], groups,
                         channels_last(xs[0]).strides);
      }
    }
  }
}

// Of every rank, of one channel, one sample and one element a group; short planes, and those of
// several pieces.
TEST(ChannelNormalizationGradient, Shapes) {
  for (const Shape& shape :
       {Shape{5, 4}, Shape{300, 6}, Shape{1, 4, 3}, Shape{4, 1, 9}, Shape{1, 1, 1}, Shape{2, 4, 1},
        Shape{40, 4, 31}, Shape{3, 4, 33}, Shape{2, 2, 20'000}, Shape{70, 2, 300},
        Shape{2, 6, 2, 3, 4}, Shape{2, 20, 40, 41}, Shape{33, 8, 3, 3}}) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    const Value grads = random(SY_FLOAT32, shape, 4), x = random(SY_FLOAT32, shape, 5),
                scale = random(SY_FLOAT32, {shape[1]}, 6);
    for (const int64_t groups : {batch, int64_t{1}, std::max<int64_t>(1, shape[1] / 2), shape[1]}) {
      expect_gradients(grads, x, scale, groups);
      if (shape.size() > 2) {
        expect_gradients(channels_last(grads), channels_last(x), scale, groups);
      }
    }
  }
}

TEST(ChannelNormalizationGradient, GradientsThatAreExpanded) {
  const Shape shape = {3, 4, 6, 5};
  const Value grads = broadcast(random(SY_FLOAT32, {3, 4, 1, 1}, 7), shape),
              x = random(SY_FLOAT32, shape, 8), scale = random(SY_FLOAT32, {4}, 9);
  for (const int64_t groups : {batch, int64_t{2}}) {
    expect_gradients(grads, x, scale, groups);
    expect_gradients(grads, channels_last(x), scale, groups);
  }
}

TEST(ChannelNormalizationGradient, WantedOutputsAlone) {
  const Shape shape = {7, 6, 11};
  const Value grads = random(SY_FLOAT32, shape, 7), x = random(SY_FLOAT32, shape, 8),
              scale = random(SY_FLOAT32, {6}, 9);
  for (const int64_t groups : {batch, int64_t{3}}) {
    const ChannelGradients want =
        formula(as_doubles(grads), as_doubles(x), as_doubles(scale), shape, groups);
    OneNode bias = gradient_node(grads, x, scale, groups);
    bias.output(SY_FLOAT32, shape).absent_output().output(SY_FLOAT32, {6});
    expect_near(bias.run_all().back(), want.of_bias, 8, 1e-5);
    OneNode scales = gradient_node(grads, x, scale, groups);
    scales.output_over(0).output(SY_FLOAT32, {6});
    const std::vector<Value> made = scales.run_all();
    expect_near(made[0], want.of_x, 8, 1e-5);
    expect_near(made[1], want.of_scale, 8, 1e-5);
  }
}

TEST(ChannelNormalizationGradient, OfNothing) {
  for (const Shape& shape : {Shape{0, 2, 3}, Shape{3, 2, 0}, Shape{0, 2}}) {
    for (const int64_t groups : {batch, int64_t{1}, int64_t{2}}) {
      const Value none = blank(SY_FLOAT32, shape), scale = from_doubles(SY_FLOAT32, {2}, {1, 2});
      const std::vector<Value> made = gradient_node(none, none, scale, groups)
                                          .output(SY_FLOAT32, shape)
                                          .output(SY_FLOAT32, {2})
                                          .output(SY_FLOAT32, {2})
                                          .run_all();
      EXPECT_EQ(as_doubles(made[1]), (Numbers{0, 0}));
      EXPECT_EQ(as_doubles(made[2]), (Numbers{0, 0}));
    }
  }
}

TEST(ChannelNormalizationGradient, NansAndInfinitiesStayInTheirGroups) {
  const Shape shape = {2, 4, 3};
  Numbers x, grads;
  for (int i = 0; i < 24; ++i) {
    x.push_back(i * 7 % 11);
    grads.push_back(i * 5 % 13 - 6);
  }
  x[1] = nan;
  x[9] = infinity;
  grads[17] = infinity;
  grads[20] = nan;
  for (const sy_dtype dtype : {SY_FLOAT32, SY_FLOAT64, SY_FLOAT16}) {
    const Value g = from_doubles(dtype, shape, grads), from = from_doubles(dtype, shape, x),
                scale = from_doubles(dtype, {4}, {1, 2, 0.5, -1});
    for (const int64_t groups : {batch, int64_t{2}, int64_t{4}}) {
      const ChannelGradients want = formula(grads, x, as_doubles(scale), shape, groups);
      for (const bool last : {false, true}) {
        const std::vector<Value> made =
            gradient_node(last ? channels_last(g) : g, last ? channels_last(from) : from, scale,
                          groups)
                .output(dtype, shape)
                .output(dtype, {4})
                .output(dtype, {4})
                .run_all();
        expect_near(made[0], want.of_x, 4, 1e-5);
        expect_near(made[1], want.of_scale, 4, 1e-5);
        expect_near(made[2], want.of_bias, 0);
      }
    }
  }
}

TEST(ChannelNormalizationGradient, AnInfiniteScaleMakesItsGroupNan) {
  const Shape shape = {2, 4, 5};
  const Value grads = random(SY_FLOAT32, shape, 15), x = random(SY_FLOAT32, shape, 16);
  for (const double special : {infinity, -infinity, nan}) {
    const Value scale = from_doubles(SY_FLOAT32, {4}, {1, special, 0.5, 2});
    for (const int64_t groups : {batch, int64_t{2}, int64_t{4}}) {
      expect_gradients(grads, x, scale, groups);
      expect_gradients(channels_last(grads), channels_last(x), scale, groups);
    }
  }
}

// Around 1e4 and 1e6, in steps that float32 has there.
TEST(ChannelNormalizationGradient, OfNumbersFarFromZero) {
  const Shape shape = {4, 6, 5, 7};
  const Value grads = random(SY_FLOAT32, shape, 13), scale = random(SY_FLOAT32, {6}, 14);
  for (const double about : {1e4, -1e6}) {
    Numbers numbers;
    for (int i = 0; i < 840; ++i) numbers.push_back(about + i * 7919 % 61 / 16.0);
    const Value x = from_doubles(SY_FLOAT32, shape, numbers);
    for (const int64_t groups : {batch, int64_t{1}, int64_t{3}, int64_t{6}}) {
      expect_gradients(grads, x, scale, groups);
      expect_gradients(channels_last(grads), channels_last(x), scale, groups);
    }
  }
}

// Blocks, tables and pieces follow from the shape alone: inside of a region, where the team is one
// thread, the bits are the same.
TEST(ChannelNormalizationGradient, IsTheSameWithAnyNumberOfThreads) {
  for (const Shape& shape :
       {Shape{3, 4, 20'000}, Shape{40, 32, 15, 15}, Shape{1, 2, 90'000}, Shape{5000, 33}}) {
    SCOPED_TRACE(::testing::PrintToString(shape));
    const Value grads = random(SY_FLOAT32, shape, 10), x = random(SY_FLOAT32, shape, 11),
                scale = random(SY_FLOAT32, {shape[1]}, 12);
    for (const int64_t groups : {batch, int64_t{1}, shape[1]}) {
      const auto run = [&](const Value& g, const Value& from) {
        OneNode made = gradient_node(g, from, scale, groups);
        made.output(SY_FLOAT32, shape).output(SY_FLOAT32, scale.shape);
        Numbers all;
        for (const Value& value : made.run_all()) {
          const Numbers numbers = as_doubles(value);
          all.insert(all.end(), numbers.begin(), numbers.end());
        }
        return all;
      };
      const auto both = [&](const Value& g, const Value& from) {
        Numbers alone;
        parallel_for(2, 1, [&](int64_t begin, int64_t) {
          if (begin == 0) alone = run(g, from);
        });
        EXPECT_EQ(run(g, from), alone);
      };
      both(grads, x);
      if (shape.size() > 2) both(channels_last(grads), channels_last(x));
    }
  }
}

TEST(ChannelNormalizationGradient, RefusesWhatHasNoChannels) {
  const Value line = filled({3}, 1);
  OneNode node = gradient_node(line, line, line, batch);
  EXPECT_EQ(node.output(SY_FLOAT32, {3}).verdict().reason, SY_REASON_RANK);
}

}  // namespace
}  // namespace cpu::testing
