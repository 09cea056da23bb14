// First values: their ranges and deviations, as PyTorch's formulas have them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>

namespace switchyard {
namespace {

namespace init = nn::init;

double deviation(const Tensor& x) { return switchyard::std(x.detach()).item(); }
double largest(const Tensor& x) { return abs(x.detach()).max().item(); }

// Uniform numbers up to a bound have a deviation of bound / sqrt(3).
void expect_uniform(const Tensor& x, double bound) {
  EXPECT_LE(largest(x), bound * (1 + 1e-6));
  EXPECT_GT(largest(x), 0.98 * bound);
  EXPECT_NEAR(deviation(x), bound / std::sqrt(3.0), 0.03 * bound);
}

TEST(Init, GainsAreThoseOfPyTorch) {
  EXPECT_EQ(init::calculate_gain(init::Nonlinearity::linear), 1);
  EXPECT_DOUBLE_EQ(init::calculate_gain(init::Nonlinearity::tanh), 5.0 / 3);
  EXPECT_DOUBLE_EQ(init::calculate_gain(init::Nonlinearity::relu), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(init::calculate_gain(init::Nonlinearity::leaky_relu, 0.2), std::sqrt(2 / 1.04));
  EXPECT_THROW(init::calculate_gain(init::Nonlinearity::relu, 0.2), Error) << "has no slope";
}

TEST(Init, FansCountWhatIsSummed) {
  const init::Fans fans = init::fan_in_and_fan_out(zeros({8, 4, 3, 5}));
  EXPECT_EQ(fans.fan_in, 60);
  EXPECT_EQ(fans.fan_out, 120);
  EXPECT_THROW(init::fan_in_and_fan_out(zeros({8})), Error);
}

TEST(Init, SpreadsAsTheFansAsk) {
  manual_seed(1);
  const Tensor weight = empty({60, 40});
  expect_uniform(init::xavier_uniform_(weight, 2), 2 * std::sqrt(6.0 / 100));
  EXPECT_NEAR(deviation(init::xavier_normal_(weight)), std::sqrt(2.0 / 100), 0.01);
  expect_uniform(init::kaiming_uniform_(weight, {.nonlinearity = init::Nonlinearity::relu}),
                 std::sqrt(6.0 / 40));
  expect_uniform(init::kaiming_uniform_(weight, {.a = std::sqrt(5.0)}), 1 / std::sqrt(40.0));
  EXPECT_NEAR(deviation(init::kaiming_normal_(weight, {.fan_out = true})), std::sqrt(2.0 / 60),
              0.01);
}

TEST(Init, WritesWithoutNotingGradients) {
  Tensor x = zeros({3, 4}, {.requires_grad = true});
  EXPECT_TRUE(equal(init::ones_(x).detach(), ones({3, 4})));
  EXPECT_TRUE(equal(init::constant_(x, 7).detach(), full({3, 4}, 7.0)));
  EXPECT_TRUE(equal(init::eye_(x).detach(), eye(3, 4)));
  EXPECT_TRUE(x.is_leaf() && x.requires_grad());
  EXPECT_THROW(init::eye_(zeros({3})), Error);
}

TEST(Init, LayersBeginAsThoseOfPyTorch) {
  manual_seed(2);
  const nn::Linear linear(64, 100);
  expect_uniform(linear.weight, 1 / std::sqrt(64.0));
  EXPECT_LE(largest(linear.bias), 1 / std::sqrt(64.0));
  const nn::Conv2d convolution(8, 30, {3});
  expect_uniform(convolution.weight, 1 / std::sqrt(72.0));
  const nn::Embedding embedding(50, 40, {.padding_idx = -1});
  EXPECT_NEAR(deviation(embedding.weight), 1, 0.05);
  EXPECT_EQ(count_nonzero(embedding.weight.select(0, 49)).item(), 0);
  const nn::MultiheadAttention attention(32, 4);
  expect_uniform(attention.in_proj_weight, std::sqrt(6.0 / 128));
  EXPECT_EQ(largest(attention.in_proj_bias), 0);
  EXPECT_EQ(largest(attention.out_proj.bias), 0);
}

TEST(Init, ALayerWithoutInputsAddsNothing) {
  nn::Linear linear(0, 3);
  EXPECT_TRUE(equal(linear(zeros({2, 0})).detach(), zeros({2, 3})));
}

TEST(Init, OneSeedGivesTheSameValues) {
  manual_seed(3);
  const nn::Linear first(5, 4);
  manual_seed(3);
  const nn::Linear second(5, 4);
  EXPECT_TRUE(equal(first.weight.detach(), second.weight.detach()));
}

}  // namespace
}  // namespace switchyard
