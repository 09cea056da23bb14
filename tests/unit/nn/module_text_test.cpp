// Modules as text: what PyTorch printed, in texts_golden.txt.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "nn/golden.hpp"

namespace switchyard {
namespace {

/// The texts of the file by the names of their cases.
std::map<std::string, std::string> golden_texts() {
  std::ifstream file(golden_path("nn/texts_golden.txt"));
  std::map<std::string, std::string> texts;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("case ")) {
      name = line.substr(5);
    } else if (line != "end") {
      texts[name] += (texts[name].empty() ? "" : "\n") + line;
    }
  }
  return texts;
}

using Texts = std::map<std::string, std::string>;

Texts weighted_layers() {
  using namespace nn;
  return {
      {"linear", to_string(Linear(784, 512))},
      {"linear_no_bias", to_string(Linear(3, 4, {.bias = false}))},
      {"bilinear", to_string(Bilinear(3, 4, 5))},
      {"conv1d",
       to_string(Conv1d(4, 6, 3, {.bias = false, .groups = 2, .padding = 1, .stride = 2}))},
      {"conv2d", to_string(Conv2d(1, 6, 5))},
      {"conv2d_dilated",
       to_string(Conv2d(4, 2, {3, 2}, {.dilation = {1, 2}, .padding = {0, 1}, .stride = {2, 1}}))},
      {"conv2d_same",
       to_string(Conv2d(
           4, 2, 3, {.padding = nn::PaddingRule::same, .padding_mode = PaddingMode::circular}))},
      {"conv2d_valid", to_string(Conv2d(4, 2, 3, {.padding = nn::PaddingRule::valid}))},
      {"conv_transpose1d",
       to_string(ConvTranspose1d(4, 2, 3, {.bias = false, .dilation = 2, .stride = 2}))},
      {"conv_transpose2d",
       to_string(ConvTranspose2d(
           4, 6, {3, 4}, {.groups = 2, .output_padding = {1, 0}, .padding = 1, .stride = 2}))},
      {"batch_norm1d", to_string(BatchNorm1d(6, {.momentum = {}}))},
      {"batch_norm2d",
       to_string(BatchNorm2d(3, {.affine = false, .eps = 0.01, .track_running_stats = false}))},
      {"layer_norm", to_string(LayerNorm({4, 6}))},
      {"layer_norm_plain", to_string(LayerNorm(6, {.elementwise_affine = false, .eps = 1e-12}))},
      {"group_norm", to_string(GroupNorm(3, 6))},
      {"group_norm_plain", to_string(GroupNorm(3, 6, {.affine = false}))},
      {"embedding", to_string(Embedding(7, 3))},
      {"embedding_padded", to_string(Embedding(7, 3, {.padding_idx = 2}))},
      {"attention", to_string(MultiheadAttention(8, 2))},
  };
}

Texts other_layers() {
  using namespace nn;
  return {
      {"max_pool1d", to_string(MaxPool1d(3, {.padding = 1, .stride = 2}))},
      {"max_pool2d", to_string(MaxPool2d({3, 2}, {.ceil_mode = true}))},
      {"avg_pool1d", to_string(AvgPool1d(2))},
      {"avg_pool2d",
       to_string(AvgPool2d(3, {.count_include_pad = false, .padding = 1, .stride = 2}))},
      {"adaptive_avg_pool2d", to_string(AdaptiveAvgPool2d({4, 2}))},
      {"adaptive_avg_pool2d_one", to_string(AdaptiveAvgPool2d(1))},
      {"flatten", to_string(Flatten())},
      {"unflatten", to_string(Unflatten(1, {2, 3}))},
      {"identity", to_string(Identity())},
      {"dropout", to_string(Dropout(0.25))},
      {"cross_entropy", to_string(CrossEntropyLoss())},
      {"bce", to_string(BCELoss())},
      {"mse", to_string(MSELoss())},
      {"triplet_margin", to_string(TripletMarginLoss())},
  };
}

Texts recurrent_texts() {
  using namespace nn;
  return {
      {"rnn", to_string(RNN(4, 6, {.nonlinearity = RNNNonlinearity::relu}))},
      {"gru", to_string(GRU(4, 6,
                            {.batch_first = true,
                             .bias = false,
                             .bidirectional = true,
                             .dropout = 0.25,
                             .num_layers = 2}))},
      {"lstm", to_string(LSTM(4, 6, {.num_layers = 2, .proj_size = 3}))},
      {"rnn_cell", to_string(RNNCell(4, 6))},
      {"rnn_cell_relu",
       to_string(RNNCell(4, 6, {.bias = false, .nonlinearity = RNNNonlinearity::relu}))},
      {"gru_cell", to_string(GRUCell(4, 6, {.bias = false}))},
      {"lstm_cell", to_string(LSTMCell(4, 6))},
      {"decoder",
       to_string(TransformerDecoder(TransformerDecoderLayer(8, 2, {.dim_feedforward = 16}), 1))},
      {"transformer",
       to_string(Transformer(
           8, 2, {.dim_feedforward = 16, .num_decoder_layers = 1, .num_encoder_layers = 1}))},
  };
}

Texts volume_texts() {
  using namespace nn;
  return {
      {"conv3d", to_string(Conv3d(2, 4, {3, 2, 3}, {.stride = 2}))},
      {"conv_transpose3d",
       to_string(ConvTranspose3d(2, 4, 2, {.output_padding = {1, 0, 0}, .stride = 2}))},
      {"max_pool3d", to_string(MaxPool3d(2))},
      {"avg_pool3d", to_string(AvgPool3d({2, 3, 2}, {.padding = 1}))},
      {"adaptive_avg_pool1d", to_string(AdaptiveAvgPool1d(4))},
      {"adaptive_avg_pool3d", to_string(AdaptiveAvgPool3d({4, 2, 3}))},
      {"adaptive_max_pool1d", to_string(AdaptiveMaxPool1d(3))},
      {"adaptive_max_pool2d", to_string(AdaptiveMaxPool2d({4, 2}))},
      {"adaptive_max_pool3d", to_string(AdaptiveMaxPool3d(2))},
      {"batch_norm3d", to_string(BatchNorm3d(3))},
      {"instance_norm1d", to_string(InstanceNorm1d(3))},
      {"instance_norm2d", to_string(InstanceNorm2d(3, {.affine = true, .eps = 0.01}))},
      {"instance_norm3d",
       to_string(InstanceNorm3d(3, {.momentum = 0.2, .track_running_stats = true}))},
  };
}

Texts position_texts() {
  using namespace nn;
  return {
      {"upsample", to_string(Upsample({.scale_factor = 2}))},
      {"upsample_size", to_string(Upsample({.mode = InterpolationMode::bilinear, .size = {4, 5}}))},
      {"upsample_one_size", to_string(Upsample({.mode = InterpolationMode::linear, .size = 4}))},
      {"pixel_shuffle", to_string(PixelShuffle(2))},
      {"pixel_unshuffle", to_string(PixelUnshuffle(2))},
      {"glu", to_string(GLU())},
      {"dropout1d", to_string(Dropout1d())},
      {"dropout2d", to_string(Dropout2d(0.25))},
      {"dropout3d", to_string(Dropout3d())},
      {"zero_pad2d", to_string(ZeroPad2d(1))},
      {"constant_pad1d", to_string(ConstantPad1d(2, 3.5))},
      {"constant_pad2d", to_string(ConstantPad2d({1, 2, 3, 4}, 0))},
      {"constant_pad3d", to_string(ConstantPad3d(1, 1.5))},
      {"reflection_pad1d", to_string(ReflectionPad1d(2))},
      {"reflection_pad2d", to_string(ReflectionPad2d(2))},
      {"reflection_pad3d", to_string(ReflectionPad3d(2))},
      {"replication_pad1d", to_string(ReplicationPad1d({1, 2}))},
      {"replication_pad2d", to_string(ReplicationPad2d(2))},
      {"replication_pad3d", to_string(ReplicationPad3d(2))},
      {"unfold", to_string(Unfold(3, {.padding = 1}))},
      {"fold", to_string(Fold({7, 8}, {3, 2}, {.stride = {2, 1}}))},
      {"embedding_bag", to_string(EmbeddingBag(7, 3))},
      {"embedding_bag_padded",
       to_string(EmbeddingBag(7, 3, {.mode = EmbeddingBagMode::max, .padding_idx = 2}))},
      {"ctc", to_string(CTCLoss())},
  };
}

Texts activation_texts() {
  using namespace nn;
  return {
      {"relu", to_string(ReLU())},
      {"relu6", to_string(ReLU6())},
      {"selu", to_string(SELU())},
      {"silu", to_string(SiLU())},
      {"mish", to_string(Mish())},
      {"softplus", to_string(Softplus())},
      {"softsign", to_string(Softsign())},
      {"sigmoid", to_string(Sigmoid())},
      {"log_sigmoid", to_string(LogSigmoid())},
      {"hardsigmoid", to_string(Hardsigmoid())},
      {"hardswish", to_string(Hardswish())},
      {"tanh", to_string(Tanh())},
      {"leaky_relu", to_string(LeakyReLU(0.2))},
      {"elu", to_string(ELU(0.7))},
      {"hardtanh", to_string(Hardtanh())},
      {"gelu", to_string(GELU())},
      {"gelu_tanh", to_string(GELU(GeluApproximation::tanh))},
      {"prelu", to_string(PReLU())},
      {"prelu_channels", to_string(PReLU(4))},
      {"softmax", to_string(Softmax(1))},
      {"log_softmax", to_string(LogSoftmax(-1))},
  };
}

nn::ModuleDict small_dict() {
  nn::ModuleDict dict;
  dict.insert("conv", nn::Conv2d(1, 4, 3));
  dict.insert("pool", nn::MaxPool2d(2));
  return dict;
}

nn::ParameterDict scale_and_shift() {
  nn::ParameterDict dict;
  dict.insert("scale", ones({2, 3}));
  dict.insert("shift", ones({3}));
  return dict;
}

Texts containers() {
  using namespace nn;
  const TransformerEncoderLayer layer(8, 2, {.batch_first = true, .dim_feedforward = 16});
  return {
      {"encoder", to_string(TransformerEncoder(layer, 2, LayerNorm(8)))},
      {"nothing", to_string(Sequential())},
      {"dict", to_string(small_dict())},
      {"parameter_list",
       to_string(ParameterList({ones({2, 3}), ones({4}, {.dtype = DType::float64})}))},
      {"parameter_list_one", to_string(ParameterList({ones({2})}))},
      {"parameter_dict", to_string(scale_and_shift())},
      {"list", to_string(ModuleList(Linear(2, 3), ReLU()))},
      {"nested",
       to_string(Sequential(Conv2d(1, 4, 3, {.padding = 1}), Sequential(ReLU(), Flatten()),
                            Sequential(), Linear(144, 10)))},
  };
}

TEST(ModuleText, IsPyTorchs) {
  Texts ours;
  for (const Texts& family : {weighted_layers(), other_layers(), recurrent_texts(), volume_texts(),
                              position_texts(), activation_texts(), containers()}) {
    ours.insert(family.begin(), family.end());
  }
  const Texts expected = golden_texts();
  ASSERT_EQ(ours.size(), expected.size());
  for (const auto& [name, text] : expected) EXPECT_EQ(ours[name], text) << name;
}

struct Scale : nn::Module {
  std::string extra_repr() const override { return "by=2\nevenly"; }
};
struct Net : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(2, 3));
  Scale scale = register_module("scale", Scale());
  std::string extra_repr() const override { return "small"; }
};
template <typename T>
struct Of : nn::Module {};

TEST(ModuleText, ClassesOfOnesOwnSayTheirName) {
  std::ostringstream stream;
  stream << Net();
  EXPECT_EQ(stream.str(),
            "Net(\n"
            "  small\n"
            "  (first): Linear(in_features=2, out_features=3, bias=True)\n"
            "  (scale): Scale(\n"
            "    by=2\n"
            "    evenly\n"
            "  )\n"
            ")");
  EXPECT_EQ(to_string(Of<nn::Linear>()), "Of<switchyard::nn::Linear>()");
}

TEST(ModuleText, NormOfTheRootSaysItsOptions) {  // PyTorch has had it since 2.4 only
  EXPECT_EQ(to_string(nn::RMSNorm(4)), "RMSNorm((4,), eps=None, elementwise_affine=True)");
  EXPECT_EQ(to_string(nn::RMSNorm(4, {.elementwise_affine = false, .eps = 1e-6})),
            "RMSNorm((4,), eps=1e-06, elementwise_affine=False)");
}

}  // namespace
}  // namespace switchyard
