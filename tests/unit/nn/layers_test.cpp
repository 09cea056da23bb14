// Each layer with parameters that PyTorch gave it: outputs, gradients and buffers are PyTorch's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "nn/golden.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct LayerCase {
  std::string name;
  std::function<std::shared_ptr<nn::Module>()> make;
  bool training = false;
};

template <typename M, typename... Arguments>
std::function<std::shared_ptr<nn::Module>()> made(const Arguments&... arguments) {
  return [=] { return std::make_shared<M>(arguments...); };
}

std::shared_ptr<nn::Module> small_net() {
  return std::make_shared<nn::Sequential>(nn::Conv2d(1, 3, {3}, {.padding = {1}}),
                                          nn::BatchNorm2d(3), nn::ReLU(), nn::MaxPool2d({2}),
                                          nn::Flatten(), nn::Linear(48, 5));
}

std::vector<LayerCase> layers() {
  using nn::ConvolutionOptions;
  return {
      {"linear", made<nn::Linear>(6, 3)},
      {"linear_no_bias", made<nn::Linear>(6, 3, nn::LinearOptions{.bias = false})},
      {"conv1d",
       made<nn::Conv1d>(4, 6, Dims{3}, ConvolutionOptions{.padding = {1}, .stride = {2}})},
      {"conv1d_circular",
       made<nn::Conv1d>(4, 2, Dims{3},
                        ConvolutionOptions{.padding = {2}, .padding_mode = PaddingMode::circular})},
      {"conv2d", made<nn::Conv2d>(4, 6, Dims{3}, ConvolutionOptions{.groups = 2, .padding = {1}})},
      {"conv2d_dilated",
       made<nn::Conv2d>(4, 2, Dims{3, 2},
                        ConvolutionOptions{.bias = false, .dilation = {1, 2}, .stride = {2, 1}})},
      {"conv2d_reflect",
       made<nn::Conv2d>(
           4, 2, Dims{3},
           ConvolutionOptions{.padding = {1, 2}, .padding_mode = PaddingMode::reflect})},
      {"conv1d_same",
       made<nn::Conv1d>(4, 3, Dims{4}, ConvolutionOptions{.padding = nn::PaddingRule::same})},
      {"conv1d_valid",
       made<nn::Conv1d>(4, 3, Dims{4},
                        ConvolutionOptions{.padding = nn::PaddingRule::valid, .stride = {2}})},
      {"conv2d_same",
       made<nn::Conv2d>(4, 2, Dims{3, 2},
                        ConvolutionOptions{.dilation = {2, 3}, .padding = nn::PaddingRule::same})},
      {"conv2d_same_reflect",
       made<nn::Conv2d>(4, 2, Dims{2, 3},
                        ConvolutionOptions{.padding = nn::PaddingRule::same,
                                           .padding_mode = PaddingMode::reflect})},
      {"conv2d_same_circular",
       made<nn::Conv2d>(4, 2, Dims{4},
                        ConvolutionOptions{.padding = nn::PaddingRule::same,
                                           .padding_mode = PaddingMode::circular})},
      {"conv_transpose1d",
       made<nn::ConvTranspose1d>(4, 2, Dims{3},
                                 nn::ConvolutionTransposeOptions{.bias = false, .stride = 2})},
      {"conv_transpose2d",
       made<nn::ConvTranspose2d>(
           4, 6, Dims{3, 4},
           nn::ConvolutionTransposeOptions{
               .groups = 2, .output_padding = {1, 0}, .padding = 1, .stride = 2})},
      {"max_pool1d", made<nn::MaxPool1d>(Dims{3}, MaxPoolOptions{.padding = {1}, .stride = {2}})},
      {"max_pool2d", made<nn::MaxPool2d>(Dims{3}, MaxPoolOptions{.padding = {1}, .stride = {2}})},
      {"avg_pool1d", made<nn::AvgPool1d>(Dims{2})},
      {"avg_pool2d",
       made<nn::AvgPool2d>(
           Dims{3}, AvgPoolOptions{.count_include_pad = false, .padding = {1}, .stride = {2}})},
      {"adaptive_avg_pool2d", made<nn::AdaptiveAvgPool2d>(Dims{2, 3})},
      {"batch_norm1d", made<nn::BatchNorm1d>(6), true},
      {"batch_norm1d_lines", made<nn::BatchNorm1d>(4, nn::BatchNormOptions{.momentum = {}}), true},
      {"batch_norm2d", made<nn::BatchNorm2d>(4, nn::BatchNormOptions{.momentum = 0.3}), true},
      {"batch_norm2d_eval", made<nn::BatchNorm2d>(4)},
      {"batch_norm2d_plain",
       made<nn::BatchNorm2d>(4,
                             nn::BatchNormOptions{.affine = false, .track_running_stats = false})},
      {"layer_norm", made<nn::LayerNorm>(Dims{7, 8})},
      {"layer_norm_plain",
       made<nn::LayerNorm>(Dims{6}, nn::LayerNormOptions{.elementwise_affine = false})},
      {"group_norm", made<nn::GroupNorm>(2, 4)},
      {"rms_norm", made<nn::RMSNorm>(Dims{6}, nn::RMSNormOptions{.eps = 1e-6})},
      {"embedding", made<nn::Embedding>(7, 3, nn::EmbeddingOptions{.padding_idx = 2})},
      {"flatten", made<nn::Flatten>()},
      {"unflatten", made<nn::Unflatten>(1, Dims{2, 3})},
      {"dropout_eval", made<nn::Dropout>(0.5)},
      {"sequential", small_net, true},
  };
}

std::vector<LayerCase> activation_layers() {
  return {
      {"relu", made<nn::ReLU>()},
      {"relu6", made<nn::ReLU6>()},
      {"selu", made<nn::SELU>()},
      {"silu", made<nn::SiLU>()},
      {"mish", made<nn::Mish>()},
      {"softplus", made<nn::Softplus>()},
      {"softsign", made<nn::Softsign>()},
      {"sigmoid", made<nn::Sigmoid>()},
      {"log_sigmoid", made<nn::LogSigmoid>()},
      {"hardsigmoid", made<nn::Hardsigmoid>()},
      {"hardswish", made<nn::Hardswish>()},
      {"tanh", made<nn::Tanh>()},
      {"leaky_relu", made<nn::LeakyReLU>(0.2)},
      {"elu", made<nn::ELU>(0.7)},
      {"hardtanh", made<nn::Hardtanh>(-2.0, 1.5)},
      {"gelu", made<nn::GELU>()},
      {"gelu_tanh", made<nn::GELU>(GeluApproximation::tanh)},
      {"prelu", made<nn::PReLU>()},
      {"prelu_channels", made<nn::PReLU>(4)},
      {"softmax", made<nn::Softmax>(1)},
      {"log_softmax", made<nn::LogSoftmax>(0)},
      {"identity", made<nn::Identity>()},
  };
}

class Layer : public testing::TestWithParam<LayerCase> {};

TEST_P(Layer, ComputesWhatPyTorchDoes) {
  const GoldenCase golden(GetParam().name);
  const std::shared_ptr<nn::Module> layer = GetParam().make();
  layer->train(GetParam().training);
  layer->load_state_dict(golden.below("state"));
  Tensor x = golden["input"];
  if (golden.has("input_grad")) x.requires_grad_();
  expect_gradients(golden, (*layer)(x), *layer);
  if (golden.has("input_grad")) {
    expect_close(x.grad(), golden["input_grad"], "the gradient of the input");
  }
  for (const auto& [name, buffer] : layer->named_buffers()) {
    expect_close(buffer, golden["after/" + name], name + " afterwards");
  }
}

std::string name_of_case(const testing::TestParamInfo<LayerCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Layers, Layer, testing::ValuesIn(layers()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Activations, Layer, testing::ValuesIn(activation_layers()), name_of_case);

TEST(Layers, BilinearMultipliesTwoInputs) {
  const GoldenCase golden("bilinear");
  nn::Bilinear layer(3, 4, 5);
  layer.load_state_dict(golden.below("state"));
  expect_gradients(golden, layer(golden["a"], golden["b"]), layer);
}

TEST(Layers, DropoutDropsInTrainingOnly) {
  nn::Dropout layer(0.5);
  const Tensor dropped = layer(ones({1000}));
  const double kept = count_nonzero(dropped).item();
  EXPECT_GT(kept, 400);
  EXPECT_LT(kept, 600);
  EXPECT_EQ(dropped.sum().item(), 2 * kept);
  layer.eval();
  EXPECT_TRUE(equal(layer(ones({8})), ones({8})));
  EXPECT_THROW(nn::Dropout(1.5), Error);
}

TEST(Layers, ConvolutionsRefuseGroupsThatDoNotFit) {
  EXPECT_THROW(nn::Conv2d(4, 6, {3}, {.groups = 4}), Error);
  EXPECT_THROW(nn::Conv2d(4, 6, {3, 3, 3}), Error);
}

TEST(Layers, NormsRefuseGroupsThatDoNotFit) {
  EXPECT_THAT(error_of([] { nn::GroupNorm(3, 4); }).what(), HasSubstr("4 channels"));
  EXPECT_THROW(nn::GroupNorm(0, 4), Error);
}

TEST(Layers, SamePaddingNeedsAStrideOfOne) {
  EXPECT_THAT(error_of([] {
                nn::Conv2d(4, 6, 3, {.padding = nn::PaddingRule::same, .stride = {1, 2}});
              }).what(),
              AllOf(HasSubstr("[Conv2d]"), HasSubstr("stride of 1"), HasSubstr("[1, 2]")));
}

TEST(Layers, EmbeddingTakesRowsLearnedBefore) {
  const Tensor rows = tensor({{1., 2.}, {3., 4.}});
  nn::Embedding layer = nn::Embedding::from_pretrained(rows);
  EXPECT_FALSE(layer.weight.requires_grad());
  EXPECT_TRUE(equal(layer(tensor({1, 0})), tensor({{3., 4.}, {1., 2.}})));
}

}  // namespace
}  // namespace switchyard
