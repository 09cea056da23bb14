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

std::vector<LayerCase> layers_of_volumes() {
  using nn::ConvolutionOptions;
  return {
      {"conv3d",
       made<nn::Conv3d>(2, 4, Dims{3, 2, 3},
                        ConvolutionOptions{.groups = 2, .padding = 1, .stride = {2, 1, 2}})},
      {"conv3d_same", made<nn::Conv3d>(2, 3, Dims{2, 1, 3},
                                       ConvolutionOptions{.padding = nn::PaddingRule::same,
                                                          .padding_mode = PaddingMode::circular})},
      {"conv_transpose3d",
       made<nn::ConvTranspose3d>(2, 3, Dims{2, 3, 2},
                                 nn::ConvolutionTransposeOptions{
                                     .output_padding = 1, .padding = {0, 1, 0}, .stride = 2})},
      {"max_pool3d", made<nn::MaxPool3d>(3, MaxPoolOptions{.padding = 1, .stride = 2})},
      {"avg_pool3d",
       made<nn::AvgPool3d>(Dims{2, 3, 2},
                           AvgPoolOptions{.ceil_mode = true, .padding = 1, .stride = {1, 2, 2}})},
      {"adaptive_avg_pool1d", made<nn::AdaptiveAvgPool1d>(4)},
      {"adaptive_avg_pool3d", made<nn::AdaptiveAvgPool3d>(Dims{2, 4, 4})},
      {"adaptive_max_pool1d", made<nn::AdaptiveMaxPool1d>(3)},
      {"adaptive_max_pool2d", made<nn::AdaptiveMaxPool2d>(Dims{3, 5})},
      {"adaptive_max_pool2d_even", made<nn::AdaptiveMaxPool2d>(Dims{1, 4})},
      {"adaptive_max_pool3d", made<nn::AdaptiveMaxPool3d>(Dims{2, 4, 4})},
      {"batch_norm3d", made<nn::BatchNorm3d>(2), true},
      {"instance_norm1d", made<nn::InstanceNorm1d>(4), true},
      {"instance_norm1d_single",
       made<nn::InstanceNorm1d>(3, nn::InstanceNormOptions{.affine = true})},
      {"instance_norm2d",
       made<nn::InstanceNorm2d>(
           4,
           nn::InstanceNormOptions{.affine = true, .momentum = 0.3, .track_running_stats = true}),
       true},
      {"instance_norm2d_eval",
       made<nn::InstanceNorm2d>(
           4, nn::InstanceNormOptions{.affine = true, .track_running_stats = true})},
      {"instance_norm3d",
       made<nn::InstanceNorm3d>(2,
                                nn::InstanceNormOptions{.eps = 0.1, .track_running_stats = true}),
       true},
  };
}

std::vector<LayerCase> layers_of_positions() {
  return {
      {"upsample", made<nn::Upsample>(InterpolateOptions{.scale_factor = 2})},
      {"upsample_size",
       made<nn::Upsample>(InterpolateOptions{
           .align_corners = true, .mode = InterpolationMode::bilinear, .size = {9, 11}})},
      {"pixel_shuffle", made<nn::PixelShuffle>(2)},
      {"pixel_unshuffle", made<nn::PixelUnshuffle>(2)},
      {"glu", made<nn::GLU>(1)},
      {"dropout2d_eval", made<nn::Dropout2d>(0.5)},
      {"zero_pad2d", made<nn::ZeroPad2d>(Dims{1, 2, -1, 3})},
      {"constant_pad1d", made<nn::ConstantPad1d>(2, 3.5)},
      {"constant_pad3d", made<nn::ConstantPad3d>(Dims{1, 0, 0, 2, 1, 1}, -1.0)},
      {"reflection_pad1d", made<nn::ReflectionPad1d>(Dims{3, 1})},
      {"reflection_pad2d", made<nn::ReflectionPad2d>(2)},
      {"reflection_pad3d", made<nn::ReflectionPad3d>(Dims{1, 2, 1, 1, 2, 0})},
      {"replication_pad1d", made<nn::ReplicationPad1d>(3)},
      {"replication_pad2d", made<nn::ReplicationPad2d>(Dims{2, 0, 1, 3})},
      {"replication_pad3d", made<nn::ReplicationPad3d>(1)},
      {"unfold",
       made<nn::Unfold>(Dims{3, 2}, UnfoldOptions{.dilation = {1, 2}, .padding = 1, .stride = 2})},
      {"fold", made<nn::Fold>(Dims{7, 8}, Dims{3, 2},
                              UnfoldOptions{.dilation = {1, 2}, .padding = 1, .stride = 2})},
      {"embedding_bag", made<nn::EmbeddingBag>(7, 3)},
      {"embedding_bag_max",
       made<nn::EmbeddingBag>(7, 3, EmbeddingBagOptions{.mode = EmbeddingBagMode::max})},
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
INSTANTIATE_TEST_SUITE_P(Volumes, Layer, testing::ValuesIn(layers_of_volumes()), name_of_case);
INSTANTIATE_TEST_SUITE_P(Positions, Layer, testing::ValuesIn(layers_of_positions()), name_of_case);
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

TEST(Layers, DropoutDropsWholeChannels) {
  const auto dropped_by = [](nn::Module&& layer, const Dims& shape) {
    return flatten(layer(ones(shape)), 2);
  };
  for (const Tensor& made :
       {dropped_by(nn::Dropout1d(), {64, 8, 5}), dropped_by(nn::Dropout2d(), {64, 8, 5, 2}),
        dropped_by(nn::Dropout3d(), {64, 8, 5, 2, 3})}) {
    const Tensor least = amin(made, {2}), greatest = amax(made, {2});
    EXPECT_TRUE(equal(least, greatest)) << "a channel goes as a whole";
    const double kept = count_nonzero(greatest).item();
    EXPECT_GT(kept, 180);
    EXPECT_LT(kept, 330);
    EXPECT_EQ(greatest.sum().item(), 2 * kept);
  }
  EXPECT_EQ(nn::Dropout1d(1)(ones({8, 5})).sum().item(), 0) << "of one sample";
  EXPECT_THROW(nn::Dropout2d()(ones({8, 5, 2})), Error);
  EXPECT_THAT(error_of([] { nn::Dropout3d(-1); }).what(), HasSubstr("[Dropout3d]"));
}

TEST(Layers, InstanceNormsRefuseWhatTheyCannotNormalize) {
  nn::InstanceNorm1d layer(3);
  EXPECT_THAT(error_of([&] { layer(ones({2, 4, 5})); }).what(), HasSubstr("3 channels"));
  EXPECT_THAT(error_of([&] { layer(ones({2, 3, 5, 5})); }).what(), HasSubstr("[InstanceNorm1d]"));
  EXPECT_THAT(error_of([&] { layer(ones({2, 3, 1})); }).what(), HasSubstr("more than one value"));
}

TEST(Layers, PadsRefuseOtherCountsOfNumbers) {
  EXPECT_THAT(error_of([] { nn::ZeroPad2d({1, 2}); }).what(), HasSubstr("one number nor 4"));
  nn::ReflectionPad1d layer(3);
  EXPECT_THAT(error_of([&] { layer(ones({1, 2, 3})); }).what(), HasSubstr("too much"));
  EXPECT_THAT(error_of([&] { layer(ones({3})); }).what(), HasSubstr("[ReflectionPad1d]"));
}

void expect_bags(const std::string& name, nn::EmbeddingBag layer) {
  SCOPED_TRACE(name);
  const GoldenCase golden(name);
  layer.load_state_dict(golden.below("state"));
  Tensor weights = golden["weights"];
  if (weights.defined()) weights.requires_grad_();
  expect_gradients(golden, layer(golden["indices"], golden["offsets"], weights), layer);
  if (weights.defined()) expect_close(weights.grad(), golden["weights_grad"], "the weights");
}

TEST(Layers, EmbeddingBagsBeginAtOffsets) {
  expect_bags("bag_mean", nn::EmbeddingBag(7, 3, {.padding_idx = 2}));
  expect_bags("bag_sum",
              nn::EmbeddingBag(7, 3, {.include_last_offset = true, .mode = EmbeddingBagMode::sum}));
  expect_bags("bag_max", nn::EmbeddingBag(7, 3, {.mode = EmbeddingBagMode::max, .padding_idx = 2}));
}

TEST(Layers, EmbeddingBagTakesRowsLearnedBefore) {
  nn::EmbeddingBag layer = nn::EmbeddingBag::from_pretrained(tensor({{1., 2.}, {3., 5.}}));
  EXPECT_FALSE(layer.weight.requires_grad());
  EXPECT_TRUE(equal(layer(tensor({{0, 1}})), tensor({{2., 3.5}})));
  EXPECT_TRUE(equal(nn::EmbeddingBag(3, 2, {.padding_idx = 1}).weight[1], zeros({2})));
}

TEST(Layers, ConvolutionsRefuseGroupsThatDoNotFit) {
  EXPECT_THROW(nn::Conv2d(4, 6, {3}, {.groups = 4}), Error);
  EXPECT_THROW(nn::Conv2d(4, 6, {3, 3, 3}), Error);
}

TEST(Layers, NormsRefuseGroupsThatDoNotFit) {
  EXPECT_THAT(error_of([] { nn::GroupNorm(3, 4); }).what(), HasSubstr("4 channels"));
  EXPECT_THROW(nn::GroupNorm(0, 4), Error);
}

TEST(Layers, RefuseAMomentumThatMovesNothing) {
  const auto says = [](auto make) { return std::string(error_of([&] { make(); }).what()); };
  EXPECT_EQ(
      says([] { return nn::BatchNorm2d(3, {.momentum = 0.3, .track_running_stats = false}); }),
      "[BatchNorm2d] momentum is for track_running_stats alone; leave it out");
  EXPECT_EQ(says([] { return nn::BatchNorm1d(3, {.momentum = {}, .track_running_stats = false}); }),
            "[BatchNorm1d] momentum is for track_running_stats alone; leave it out");
  EXPECT_EQ(says([] { return nn::InstanceNorm3d(3, {.momentum = 0.3}); }),
            "[InstanceNorm3d] momentum is for track_running_stats alone; leave it out");
}

/// The layer and its argument are named, not the function that makes its parameters.
TEST(Layers, RefuseSizesThatNoneHas) {
  const auto says = [](auto make) { return std::string(error_of([&] { make(); }).what()); };
  EXPECT_EQ(says([] { return nn::Linear(-2, 2); }),
            "[Linear] in_features is -2; it must be at least 0");
  EXPECT_EQ(says([] { return nn::Bilinear(0, 2, 2); }),
            "[Bilinear] in1_features is 0; it must be at least 1");
  EXPECT_EQ(says([] { return nn::Conv2d(-2, 2, 3); }),
            "[Conv2d] in_channels is -2; it must be at least 0");
  EXPECT_EQ(says([] { return nn::Conv1d(2, 2, 0); }),
            "[Conv1d] kernel_size is 0; it must be at least 1");
  EXPECT_EQ(says([] { return nn::ConvTranspose3d(2, 2, 2, {.stride = 0}); }),
            "[ConvTranspose3d] stride is 0; it must be at least 1");
  EXPECT_EQ(says([] { return nn::Embedding(4, -1); }),
            "[Embedding] embedding_dim is -1; it must be at least 0");
  EXPECT_EQ(says([] { return nn::EmbeddingBag(4, 2, {.padding_idx = 4}); }),
            "[EmbeddingBag] padding_idx is 4; it must lie in [-4, 3]");
  EXPECT_EQ(says([] { return nn::BatchNorm2d(-1, {.affine = false}); }),
            "[BatchNorm2d] num_features is -1; it must be at least 0");
  EXPECT_EQ(says([] { return nn::InstanceNorm1d(-1); }),
            "[InstanceNorm1d] num_features is -1; it must be at least 0");
  EXPECT_EQ(says([] { return nn::GroupNorm(2, -2); }),
            "[GroupNorm] num_channels is -2; it must be at least 0");
  EXPECT_EQ(says([] {
              return nn::LayerNorm({2, -1});
            }),
            "[LayerNorm] an extent of normalized_shape is -1; it must be at least 0");
  EXPECT_EQ(says([] { return nn::GRUCell(2, 0); }),
            "[GRUCell] hidden_size is 0; it must be at least 1");
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
