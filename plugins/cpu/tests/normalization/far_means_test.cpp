// Normalizations of numbers that lie far from 0, whose mean no float32 holds: against double.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/layouts.hpp"
#include "harness/products.hpp"
#include "normalization/moments.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {
namespace {

using Numbers = std::vector<double>;

constexpr double far_epsilon = 0.0078125;
constexpr double bound = 4e-6;  // of results of about 1

// Between 1e6 and 1e6 + 4, in steps that float32 has there.
Value far(const Shape& shape) {
  Numbers made;
  for (int64_t i = 0; i < sy::element_count(shape); ++i) {
    made.push_back(1e6 + static_cast<double>(i * 7919 % 61) / 16);
  }
  return from_doubles(SY_FLOAT32, shape, made);
}

struct Line {
  double mean = 0, variance = 0, count = 0;
};

using LineOf = std::function<int64_t(int64_t)>;

std::vector<Line> lines_of(const Numbers& x, int64_t count, const LineOf& line_of) {
  std::vector<Line> lines(static_cast<size_t>(count));
  const auto line = [&](size_t i) -> Line& { return lines[line_of(static_cast<int64_t>(i))]; };
  for (size_t i = 0; i < x.size(); ++i) ++line(i).count;
  for (size_t i = 0; i < x.size(); ++i) line(i).mean += x[i] / line(i).count;
  for (size_t i = 0; i < x.size(); ++i) {
    line(i).variance += std::pow(x[i] - line(i).mean, 2) / line(i).count;
  }
  return lines;
}

Numbers standardized(const Numbers& x, int64_t count, const LineOf& line_of) {
  const std::vector<Line> lines = lines_of(x, count, line_of);
  Numbers y;
  for (size_t i = 0; i < x.size(); ++i) {
    const Line& line = lines[line_of(static_cast<int64_t>(i))];
    y.push_back((x[i] - line.mean) / std::sqrt(line.variance + far_epsilon));
  }
  return y;
}

TEST(FarMeans, OfLayers) {
  for (const int64_t length : {3, 50, 1000, 70'001}) {
    const Value x = far({3, length});
    const Numbers want = standardized(as_doubles(x), 3, [&](int64_t i) { return i / length; });
    for (const Value& layout : layouts_of(x)) {
      const Value y = OneNode("LayerNormalization")
                          .attribute("axis", -1)
                          .attribute("epsilon", far_epsilon)
                          .input(layout)
                          .input(filled({length}, 1))
                          .output(SY_FLOAT32, {3, length})
                          .run();
      expect_near(y, want, 2, bound);
    }
  }
}

TEST(FarMeans, OfLayersOnTheWayBack) {
  constexpr int64_t lines = 3, length = 50;
  const Value x = far({lines, length});
  Numbers grads, of_x, of_scale(length, 0);
  for (int64_t i = 0; i < lines * length; ++i) grads.push_back(std::sin(i));
  const Value g = from_doubles(SY_FLOAT32, {lines, length}, grads);
  grads = as_doubles(g);
  const LineOf line_of = [](int64_t i) { return i / length; };
  const std::vector<Line> moments = lines_of(as_doubles(x), lines, line_of);
  const Numbers y = standardized(as_doubles(x), lines, line_of);
  for (int64_t line = 0; line < lines; ++line) {
    double level = 0, along = 0;
    for (int64_t i = line * length; i < (line + 1) * length; ++i) {
      level += grads[i] / length;
      along += grads[i] * y[i] / length;
      of_scale[i % length] += grads[i] * y[i];
    }
    const double factor = 1 / std::sqrt(moments[line].variance + far_epsilon);
    for (int64_t i = line * length; i < (line + 1) * length; ++i) {
      of_x.push_back(factor * (grads[i] - level - y[i] * along));
    }
  }
  const std::vector<Value> made = OneNode("LayerNormalizationGradient", 1, switchyard_domain)
                                      .attribute("axis", -1)
                                      .attribute("epsilon", far_epsilon)
                                      .attribute("stash_type", 1)
                                      .input(g)
                                      .input(x)
                                      .input(filled({length}, 1))
                                      .output(SY_FLOAT32, {lines, length})
                                      .output(SY_FLOAT32, {length})
                                      .run_all();
  expect_near(made[0], of_x, 2, bound);
  expect_near(made[1], of_scale, 2, 2 * bound);
}

void expect_channelled(OneNode node, const Value& x, const Numbers& want) {
  const Value y = node.attribute("epsilon", far_epsilon)
                      .input(x)
                      .input(filled({channels}, 1))
                      .input(filled({channels}, 0))
                      .output(SY_FLOAT32, image, x.strides)
                      .run();
  expect_near(y, want, 2, bound);
}

TEST(FarMeans, OfInstancesAndGroups) {
  const Value plain = far(image);
  const Numbers x = as_doubles(plain);
  for (const Value& layout : {plain, transposed(plain, {0, 2, 3, 1})}) {
    expect_channelled(OneNode("InstanceNormalization"), layout,
                      standardized(x, 12, [](int64_t i) { return i / area; }));
    OneNode groups("GroupNormalization");
    groups.attribute("num_groups", 2);
    expect_channelled(std::move(groups), layout,
                      standardized(x, 4, [](int64_t i) { return i / (area * 3); }));
  }
}

TEST(FarMeans, OfBatchesInTraining) {
  const Value plain = far(image);
  const Numbers want = standardized(as_doubles(plain), channels, channel_of);
  const std::vector<Line> moments = lines_of(as_doubles(plain), channels, channel_of);
  for (const Value& x : {plain, transposed(plain, {0, 2, 3, 1})}) {
    const std::vector<Value> made = OneNode("BatchNormalization")
                                        .attribute("epsilon", far_epsilon)
                                        .attribute("momentum", 0.0)
                                        .attribute("training_mode", 1)
                                        .input(x)
                                        .input(filled({channels}, 1))
                                        .input(filled({channels}, 0))
                                        .input(filled({channels}, 0))
                                        .input(filled({channels}, 1))
                                        .output(SY_FLOAT32, image, x.strides)
                                        .output(SY_FLOAT32, {channels})
                                        .output(SY_FLOAT32, {channels})
                                        .run_all();
    expect_near(made[0], want, 2, bound);
    for (int64_t c = 0; c < channels; ++c) {
      EXPECT_EQ(as_doubles(made[1])[c], static_cast<float>(moments[c].mean));
      EXPECT_NEAR(as_doubles(made[2])[c], moments[c].variance, bound);
    }
  }
}

TEST(FarMeans, OfMeanVarianceNormalization) {
  const Value x = far(image);
  const std::vector<Line> lines = lines_of(as_doubles(x), channels, channel_of);
  Numbers want;
  for (int64_t i = 0; i < x.size(); ++i) {
    const Line& line = lines[channel_of(i)];
    want.push_back((as_doubles(x)[i] - line.mean) / std::sqrt(line.variance));
  }
  const Value y = OneNode("MeanVarianceNormalization")
                      .attribute("axes", std::vector<int64_t>{0, 2, 3})
                      .input(x)
                      .output(SY_FLOAT32, image)
                      .run();
  expect_near(y, want, 2, bound);
}

}  // namespace
}  // namespace cpu::testing
