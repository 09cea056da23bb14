#include "training/exported_nets.hpp"

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

namespace switchyard {
namespace {

class Nets {
 public:
  /// Adds a network of these layers, for a batch of 3 of this shape.
  template <typename... Layers>
  void add(const std::string& name, const Dims& shape, const Layers&... layers) {
    Dims batch{3};
    for (const std::int64_t extent : shape) batch.push_back(extent);
    keep({name, nn::Sequential(layers...), randn(batch) * 2});
  }

  void keep(ExportedNet net) {
    const NoGrad no_grad;
    for (const auto& list : {net.net.named_parameters(), net.net.named_buffers()}) {
      for (const auto& [name, tensor] : list) {
        if (name.ends_with("running_var")) tensor.uniform_(0.5, 2);
        if (name.ends_with("running_mean")) tensor.normal_();
        if (tensor.dim() == 1 && name.ends_with("weight")) tensor.uniform_(0.5, 2);
        if (tensor.dim() == 1 && name.ends_with("bias")) tensor.normal_();
      }
    }
    all_.push_back(std::move(net));
  }

  std::vector<ExportedNet> all_;
};

void add_activations(Nets& nets) {
  const Dims shape{4, 5};
  nets.add("ReLU", shape, nn::ReLU());
  nets.add("ReLU6", shape, nn::ReLU6());
  nets.add("SELU", shape, nn::SELU());
  nets.add("SiLU", shape, nn::SiLU());
  nets.add("Mish", shape, nn::Mish());
  nets.add("Softplus", shape, nn::Softplus());
  nets.add("Softsign", shape, nn::Softsign());
  nets.add("Sigmoid", shape, nn::Sigmoid());
  nets.add("LogSigmoid", shape, nn::LogSigmoid());
  nets.add("Hardsigmoid", shape, nn::Hardsigmoid());
  nets.add("Hardswish", shape, nn::Hardswish());
  nets.add("Tanh", shape, nn::Tanh());
  nets.add("LeakyReLU", shape, nn::LeakyReLU(0.2));
  nets.add("ELU", shape, nn::ELU(0.7));
  nets.add("Hardtanh", shape, nn::Hardtanh(-0.5, 1.5));
  nets.add("GELU", shape, nn::GELU());
  nets.add("GELU_tanh", shape, nn::GELU(GeluApproximation::tanh));
  nets.add("PReLU", shape, nn::PReLU());
  nets.add("PReLU_channels", shape, nn::PReLU(4, 0.1));
  nets.add("Softmax", shape, nn::Softmax(-1));
  nets.add("Softmax_channels", shape, nn::Softmax(1));
  nets.add("LogSoftmax", shape, nn::LogSoftmax(1));
  nets.add("GELU_twice", shape, nn::GELU(), nn::GELU());
}

void add_windows(Nets& nets) {
  nets.add("Conv1d", {4, 11}, nn::Conv1d(4, 6, 3, {.groups = 2, .padding = 1, .stride = 2}));
  nets.add("Conv2d", {2, 9, 8},
           nn::Conv2d(2, 5, {3, 2}, {.dilation = {2, 1}, .padding = {2, 1}, .stride = {2, 1}}));
  nets.add("Conv2d_no_bias", {2, 6, 6}, nn::Conv2d(2, 3, 3, {.bias = false, .padding = 1}));
  nets.add("Conv2d_reflect", {2, 6, 6},
           nn::Conv2d(2, 3, 3, {.padding = 2, .padding_mode = PaddingMode::reflect}));
  nets.add("Conv1d_replicate", {2, 6},
           nn::Conv1d(2, 3, 3, {.padding = 1, .padding_mode = PaddingMode::replicate}));
  nets.add("Conv1d_circular", {2, 6},
           nn::Conv1d(2, 3, 3, {.padding = 2, .padding_mode = PaddingMode::circular}));
  nets.add("Conv2d_circular_same", {2, 6, 5},
           nn::Conv2d(2, 3, {4, 1},
                      {.padding = nn::PaddingRule::same, .padding_mode = PaddingMode::circular}));
  nets.add("Conv2d_same", {2, 6, 6},
           nn::Conv2d(2, 3, {3, 2}, {.dilation = 3, .padding = nn::PaddingRule::same}));
  nets.add("Conv2d_replicate_same", {2, 6, 6},
           nn::Conv2d(2, 3, 2,
                      {.padding = nn::PaddingRule::same, .padding_mode = PaddingMode::replicate}));
  nets.add("Conv1d_valid", {2, 6},
           nn::Conv1d(2, 3, 3, {.padding = nn::PaddingRule::valid, .stride = 2}));
  nets.add("ConvTranspose1d", {2, 6}, nn::ConvTranspose1d(2, 3, 3, {.bias = false, .stride = 2}));
  nets.add("ConvTranspose2d", {4, 5, 6},
           nn::ConvTranspose2d(4, 6, {3, 4},
                               {.groups = 2, .output_padding = {1, 0}, .padding = 1, .stride = 2}));
  nets.add("MaxPool1d", {2, 9}, nn::MaxPool1d(3, {.padding = 1, .stride = 2}));
  nets.add("MaxPool2d", {2, 7, 9}, nn::MaxPool2d(2));
  nets.add("MaxPool2d_ceil", {2, 7, 10},
           nn::MaxPool2d(Dims{3, 2}, {.ceil_mode = true, .stride = 2}));
  nets.add("MaxPool2d_ceil_padded", {2, 8, 8},
           nn::MaxPool2d(3, {.ceil_mode = true, .padding = 1, .stride = 2}));
  nets.add("MaxPool2d_dilated", {2, 9, 9}, nn::MaxPool2d(2, {.dilation = 3, .stride = 1}));
  nets.add("AvgPool1d", {2, 9}, nn::AvgPool1d(2));
  nets.add("AvgPool2d", {2, 8, 8}, nn::AvgPool2d(3, {.padding = 1, .stride = 2}));
  nets.add("AvgPool2d_apart", {2, 8, 8},
           nn::AvgPool2d(3, {.count_include_pad = false, .padding = 1, .stride = 2}));
  nets.add("AvgPool2d_ceil", {2, 8, 8}, nn::AvgPool2d(2, {.ceil_mode = true}));
  nets.add("AvgPool2d_ceil_cut", {2, 7, 8}, nn::AvgPool2d(2, {.ceil_mode = true}));
  nets.add("AvgPool2d_ceil_padded", {2, 8, 8},
           nn::AvgPool2d(3, {.ceil_mode = true, .padding = 1, .stride = 2}));
  nets.add(
      "AvgPool2d_ceil_apart", {2, 8, 8},
      nn::AvgPool2d(3, {.ceil_mode = true, .count_include_pad = false, .padding = 1, .stride = 2}));
  nets.add("AdaptiveAvgPool2d", {2, 8, 6}, nn::AdaptiveAvgPool2d(Dims{4, 2}));
  nets.add("AdaptiveAvgPool2d_uneven", {2, 7, 6}, nn::AdaptiveAvgPool2d(Dims{3, 4}));
  nets.add("AdaptiveAvgPool2d_one", {2, 7, 5}, nn::AdaptiveAvgPool2d(1));
}

void add_volumes(Nets& nets) {
  const Dims shape{2, 4, 6, 4};
  nets.add("Conv3d", shape, nn::Conv3d(2, 3, {3, 2, 3}, {.padding = 1, .stride = {1, 2, 1}}));
  nets.add("ConvTranspose3d", shape,
           nn::ConvTranspose3d(2, 3, 2, {.output_padding = 1, .padding = 1, .stride = 2}));
  nets.add("MaxPool3d", shape, nn::MaxPool3d(2));
  nets.add("AvgPool3d", shape, nn::AvgPool3d(2, {.padding = 1, .stride = 2}));
  nets.add("AdaptiveAvgPool1d", {2, 9}, nn::AdaptiveAvgPool1d(3));
  nets.add("AdaptiveAvgPool1d_uneven", {2, 9}, nn::AdaptiveAvgPool1d(4));
  nets.add("AdaptiveAvgPool3d", shape, nn::AdaptiveAvgPool3d(Dims{2, 3, 1}));
  nets.add("AdaptiveAvgPool3d_one", shape, nn::AdaptiveAvgPool3d(1));
  nets.add("AdaptiveMaxPool1d", {2, 9}, nn::AdaptiveMaxPool1d(3));
  nets.add("AdaptiveMaxPool2d", {2, 6, 8}, nn::AdaptiveMaxPool2d(Dims{3, 2}));
  nets.add("AdaptiveMaxPool2d_one", {2, 7, 5}, nn::AdaptiveMaxPool2d(1));
  nets.add("AdaptiveMaxPool3d", shape, nn::AdaptiveMaxPool3d(2));
  nets.add("BatchNorm3d", shape, nn::BatchNorm3d(2));
  nets.add("InstanceNorm1d", {3, 5}, nn::InstanceNorm1d(3, {.affine = true}));
  nets.add("InstanceNorm2d", {3, 4, 5}, nn::InstanceNorm2d(3, {.eps = 1e-2}));
  nets.add("InstanceNorm3d", shape,
           nn::InstanceNorm3d(2, {.affine = true, .track_running_stats = true}));
}

void add_images(Nets& nets) {
  const Dims shape{3, 5, 6};
  nets.add("ZeroPad2d", shape, nn::ZeroPad2d(Dims{1, 2, -1, 3}));
  nets.add("ConstantPad1d", {3, 5}, nn::ConstantPad1d(2, 1.5));
  nets.add("ReflectionPad2d", shape, nn::ReflectionPad2d(Dims{1, 2, 3, 0}));
  nets.add("ReplicationPad3d", {2, 3, 4, 3}, nn::ReplicationPad3d(1));
  nets.add("Upsample", shape, nn::Upsample({.scale_factor = 2}));
  nets.add("Upsample_size", {2, 4, 8},
           nn::Upsample({.mode = InterpolationMode::bilinear, .size = {6, 12}}));
  nets.add(
      "Upsample_corners", shape,
      nn::Upsample({.align_corners = true, .mode = InterpolationMode::bicubic, .scale_factor = 2}));
  nets.add("PixelShuffle", {8, 3, 2}, nn::PixelShuffle(2));
  nets.add("PixelUnshuffle", {2, 6, 4}, nn::PixelUnshuffle(2));
  nets.add("GLU", {4, 6}, nn::GLU());
  nets.add("GLU_channels", {4, 5}, nn::GLU(1));
  nets.add("Dropout2d", shape, nn::Dropout2d(), nn::ReLU());
}

void add_recurrent(Nets& nets) {
  nets.add("RNN", {5, 4}, nn::RNN(4, 3));
  nets.add("GRU", {5, 4}, nn::GRU(4, 3, {.bidirectional = true, .num_layers = 2}));
  nets.add("GRU_no_bias", {5, 4}, nn::GRU(4, 3, {.batch_first = true, .bias = false}));
  nets.add("LSTM", {5, 4}, nn::LSTM(4, 3, {.batch_first = true, .bidirectional = true}),
           nn::Linear(6, 2));
}

void add_weighted(Nets& nets) {
  nets.add("Linear", {7}, nn::Linear(7, 4));
  nets.add("Linear_no_bias", {7}, nn::Linear(7, 4, {.bias = false}));
  nets.add("Linear_rank_3", {5, 7}, nn::Linear(7, 4));
  nets.add("BatchNorm1d", {6}, nn::BatchNorm1d(6));
  nets.add("BatchNorm1d_length", {6, 4}, nn::BatchNorm1d(6, {.eps = 1e-2}));
  nets.add("BatchNorm2d", {3, 4, 4}, nn::BatchNorm2d(3));
  nets.add("BatchNorm2d_plain", {3, 4, 4}, nn::BatchNorm2d(3, {.affine = false}));
  nets.add("LayerNorm", {4, 6}, nn::LayerNorm(6));
  nets.add("LayerNorm_two", {4, 6}, nn::LayerNorm(Dims{4, 6}, {.eps = 1e-2}));
  nets.add("LayerNorm_plain", {4, 6}, nn::LayerNorm(6, {.elementwise_affine = false}));
  nets.add("GroupNorm", {6, 4, 5}, nn::GroupNorm(3, 6));
  nets.add("GroupNorm_plain", {6, 4}, nn::GroupNorm(2, 6, {.affine = false, .eps = 1e-2}));
  nets.add("GroupNorm_one", {6}, nn::GroupNorm(1, 6));
  nets.add("RMSNorm", {4, 6}, nn::RMSNorm(6));
  nets.add("RMSNorm_two", {4, 6}, nn::RMSNorm(Dims{4, 6}, {.eps = 1e-2}));
  nets.add("RMSNorm_plain", {4, 6}, nn::RMSNorm(6, {.elementwise_affine = false}));
  nets.keep(
      {"Embedding", nn::Sequential(nn::Embedding(9, 4), nn::Linear(4, 2)), randint(0, 9, {3, 5})});
}

void add_attention(Nets& nets) {
  nets.add("Attention", {5, 8}, nn::MultiheadAttention(8, 2));
  nets.add("Attention_batch_first", {5, 8}, nn::MultiheadAttention(8, 4, {.batch_first = true}));
  nets.add("Attention_no_batch", {8}, nn::MultiheadAttention(8, 2));
  nets.add("Attention_no_bias", {5, 8}, nn::MultiheadAttention(8, 2, {.bias = false}));
  nets.add("Encoder_layer", {5, 8}, nn::TransformerEncoderLayer(8, 2, {.dim_feedforward = 12}));
  nets.add("Encoder_layer_no_batch", {8},
           nn::TransformerEncoderLayer(8, 2, {.dim_feedforward = 12}));
  const nn::TransformerEncoderLayer first(8, 2,
                                          {.activation = nn::Activation::gelu,
                                           .batch_first = true,
                                           .dim_feedforward = 12,
                                           .layer_norm_eps = 1e-3,
                                           .norm_first = true});
  nets.add("Encoder_layer_norm_first", {5, 8}, first);
  nets.add("Encoder", {5, 8}, nn::TransformerEncoder(first, 2, nn::LayerNorm(8)));
  nets.add("Encoder_no_norm", {5, 8}, nn::Linear(8, 8), nn::TransformerEncoder(first, 1),
           nn::Flatten(), nn::Linear(40, 3));
}

void add_shapes(Nets& nets) {
  nets.add("Flatten", {2, 3, 4}, nn::Flatten());
  nets.add("Flatten_some", {2, 3, 4}, nn::Flatten(2));
  nets.add("Flatten_batch", {2, 3, 4}, nn::Flatten(0, 1));
  nets.add("Unflatten", {12, 2}, nn::Unflatten(1, {3, -1}));
  nets.add("Nothing", {4}, nn::Dropout(), nn::Identity());
  nets.add("Nested", {6}, nn::Linear(6, 5), nn::Sequential(nn::ReLU(), nn::Linear(5, 5)),
           nn::Dropout(), nn::Linear(5, 2), nn::Softmax(1));
  nets.add("Small_CNN", {1, 12, 12}, nn::Conv2d(1, 4, 3, {.padding = 1}), nn::BatchNorm2d(4),
           nn::ReLU(), nn::MaxPool2d(2), nn::Flatten(), nn::Dropout(), nn::Linear(144, 10));
}

}  // namespace

std::vector<ExportedNet> exported_nets() {
  manual_seed(7);
  Nets nets;
  add_activations(nets);
  add_windows(nets);
  add_volumes(nets);
  add_images(nets);
  add_recurrent(nets);
  add_weighted(nets);
  add_attention(nets);
  add_shapes(nets);
  return nets.all_;
}

}  // namespace switchyard
