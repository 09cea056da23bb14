// Options: each class names its own, and one that does not apply is an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/switchyard.hpp>
#include <type_traits>

#include "functions/thrown.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

static_assert(std::is_aggregate_v<nn::Conv2d::Options>);
static_assert(std::is_aggregate_v<nn::ConvTranspose2d::Options>);
static_assert(std::is_aggregate_v<nn::MaxPool2d::Options>);
static_assert(std::is_aggregate_v<nn::BatchNorm2d::Options>);
static_assert(std::is_aggregate_v<nn::BCELoss::Options>);
static_assert(std::is_aggregate_v<nn::BCEWithLogitsLoss::Options>);
static_assert(std::is_aggregate_v<nn::TransformerEncoderLayer::Options>);
static_assert(std::is_aggregate_v<optim::RMSprop::Options>);
static_assert(std::is_aggregate_v<optim::ReduceLROnPlateau::Options>);
static_assert(std::is_aggregate_v<optim::LinearLR::Options>);
static_assert(std::is_aggregate_v<DataLoader::Options>);

template <typename Options>
concept HasDilation = requires(Options options) {
  options.dilation;
};
template <typename Options>
concept HasCountIncludePad = requires(Options options) {
  options.count_include_pad;
};
static_assert(HasDilation<MaxPoolOptions> && !HasDilation<AvgPoolOptions>);
static_assert(!HasCountIncludePad<MaxPoolOptions> && HasCountIncludePad<AvgPoolOptions>);

static_assert(!std::is_convertible_v<const char*, InterpolationMode>);
static_assert(!std::is_constructible_v<nn::GELU, const char*>, "found when it is compiled");
static_assert(!std::is_constructible_v<optim::OneCycleLR, optim::Optimizer&>,
              "the largest rate and the number of steps have no default");

TEST(Options, ThatDoNotApplyAreErrors) {
  const Tensor x = ones({1, 1, 4, 4});
  EXPECT_THAT(thrown([&] {
                return interpolate(x, {.align_corners = true, .size = {2, 2}});
              }),
              HasSubstr("corners"));
  EXPECT_THAT(thrown([&] {
                return interpolate(x, {.scale_factor = 2, .size = {2, 2}});
              }),
              HasSubstr("either size or scale_factor"));
  EXPECT_THAT(thrown([&] {
                return pad(x, {1, 1}, PaddingMode::circular, 3);
              }),
              HasSubstr("constant, not for circular"));
  using nn::init::Nonlinearity;
  EXPECT_THAT(
      thrown([&] {
        nn::init::kaiming_uniform_(zeros({2, 2}), {.a = 0.1, .nonlinearity = Nonlinearity::relu});
      }),
      HasSubstr("only leaky_relu has a slope"));
}

TEST(Options, OfAGroupThatThereIsNotAreAnError) {
  const std::vector<Tensor> parameters = {ones({2}, {.requires_grad = true})};
  optim::SGD sgd(parameters);
  optim::Adam adam(parameters);
  optim::RMSprop rmsprop(parameters);
  EXPECT_THAT(thrown([&] { return sgd.options(7).lr; }), HasSubstr("group 7"));
  EXPECT_THAT(thrown([&] { return adam.options(1).lr; }), HasSubstr("group 1"));
  EXPECT_THAT(thrown([&] { return rmsprop.options(1).lr; }), HasSubstr("group 1"));
  EXPECT_EQ(sgd.options(0).lr, 1e-3);
}

}  // namespace
}  // namespace switchyard
