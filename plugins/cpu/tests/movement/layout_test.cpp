#include <gtest/gtest.h>

#include <algorithm>

#include "harness/closeness.hpp"
#include "harness/harness.hpp"
#include "harness/products.hpp"

namespace cpu::testing {
namespace {

const std::vector<size_t> channels_last_order = {0, 2, 3, 1};
const Shape last_strides = {60, 1, 15, 3};  // of [2, 3, 4, 5]

Value picture(int seed) { return random(SY_FLOAT32, {2, 3, 4, 5}, seed); }

TEST(Layout, ElementwiseOutputsLieAsTheirInput) {
  const Value x = picture(1);
  OneNode node("Relu", 14);
  const Value y = node.input(transposed(x, channels_last_order))
                      .output(SY_FLOAT32, x.shape)
                      .accept_strides()
                      .run();
  EXPECT_EQ(y.actual_strides(), last_strides);
  std::vector<double> expected = as_doubles(x);
  for (double& number : expected) number = std::max(number, 0.0);
  EXPECT_EQ(as_doubles(y), expected);
}

TEST(Layout, RowMajorInputsAndUnknownStridesKeepOutputsRowMajor) {
  const Value x = picture(1);
  OneNode plain("Relu", 14);
  plain.input(x).output(SY_FLOAT32, x.shape).accept_strides();
  EXPECT_FALSE(plain.run().is_strided());
  OneNode hidden("Relu", 14);
  hidden.input(transposed(x, channels_last_order))
      .output(SY_FLOAT32, x.shape)
      .accept_strides()
      .hide_shapes();
  EXPECT_FALSE(hidden.run().is_strided());
}

TEST(Layout, MatricesStayRowMajor) {
  const Value x = random(SY_FLOAT32, {4, 5}, 1);
  OneNode node("Relu", 14);
  node.input(transposed(x, {1, 0})).output(SY_FLOAT32, x.shape).accept_strides();
  EXPECT_FALSE(node.run().is_strided());
}

TEST(Layout, OneInputThatLiesOtherwiseIsEnough) {
  const Value a = picture(1), b = picture(2), channel = random(SY_FLOAT32, {3, 1, 1}, 3);
  std::vector<double> expected = as_doubles(a);
  const std::vector<double> other = as_doubles(b);
  for (size_t i = 0; i < expected.size(); ++i) expected[i] += other[i];
  OneNode node("Add", 14);
  node.input(a)
      .input(transposed(b, channels_last_order))
      .output(SY_FLOAT32, a.shape)
      .accept_strides();
  const Value sum = node.run();
  EXPECT_EQ(sum.actual_strides(), last_strides);
  expect_near(sum, expected, 1);
  OneNode biased("Add", 14);
  biased.input(channel)
      .input(transposed(b, channels_last_order))
      .output(SY_FLOAT32, a.shape)
      .accept_strides();
  EXPECT_EQ(biased.run().actual_strides(), last_strides);
}

TEST(Layout, OtherExtentsLieInTheSameOrder) {
  const Value x = picture(1);
  OneNode node("Concat", 13);
  node.attribute("axis", 1).input(transposed(x, channels_last_order)).input(x);
  const Value y = node.output(SY_FLOAT32, {2, 6, 4, 5}).accept_strides().run();
  EXPECT_EQ(y.actual_strides(), (Shape{120, 1, 30, 6}));
  const std::vector<double> from = as_doubles(x), to = as_doubles(y);
  for (size_t i = 0; i < to.size(); ++i) EXPECT_EQ(to[i], from[i / 120 * 60 + i % 60]);
}

TEST(Layout, ResizedPicturesLieAsTheirInput) {
  const Value x = picture(1);
  for (const char* mode : {"nearest", "linear", "cubic"}) {
    std::vector<Value> made;
    for (const bool last : {false, true}) {
      OneNode node("Resize", 19);
      node.attribute("mode", mode).attribute("coordinate_transformation_mode", "half_pixel");
      node.attribute("nearest_mode", "round_prefer_floor").attribute("cubic_coeff_a", -0.75);
      node.input(last ? transposed(x, channels_last_order) : x).absent_input().absent_input();
      node.host_input(integers({2, 3, 7, 11})).output(SY_FLOAT32, {2, 3, 7, 11}).accept_strides();
      made.push_back(node.run());
    }
    EXPECT_EQ(made[1].actual_strides(), (Shape{231, 1, 33, 3}));
    expect_near(made[1], as_doubles(made[0]), 2, 1e-6);
    OneNode mixed("Resize", 19);
    mixed.attribute("mode", mode).attribute("coordinate_transformation_mode", "half_pixel");
    mixed.attribute("nearest_mode", "round_prefer_floor").attribute("cubic_coeff_a", -0.75);
    mixed.input(transposed(x, channels_last_order)).absent_input().absent_input();
    mixed.host_input(integers({2, 3, 7, 11})).output(SY_FLOAT32, {2, 3, 7, 11});
    expect_near(mixed.run(), as_doubles(made[0]), 2, 1e-6);
  }
}

}  // namespace
}  // namespace cpu::testing
