// Activations; those that opset 17 lacks are composed as the functions of these names are.
#include <cmath>
#include <switchyard/functions/creation.hpp>
#include <switchyard/nn/activation.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

template <const char* op>
void write_plain(const ExportedLayer& layer) {
  layer.graph.append(op);
}
constexpr char kRelu[] = "Relu", kSelu[] = "Selu", kSigmoid[] = "Sigmoid", kTanh[] = "Tanh",
               kSoftplus[] = "Softplus", kSoftsign[] = "Softsign", kHardSwish[] = "HardSwish";

void write_clip(const ExportedLayer& layer, double low, double high) {
  layer.graph.append("Clip", {layer.number("low", low), layer.number("high", high)});
}
void write_relu6(const ExportedLayer& layer) { write_clip(layer, 0, 6); }
void write_hardtanh(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::Hardtanh>();
  write_clip(layer, module.low, module.high);
}

/// x gate(x)
void write_gated(const ExportedLayer& layer, std::string_view first, std::string_view second = "") {
  const std::string x = layer.graph.current();
  layer.graph.append(first);
  if (!second.empty()) layer.graph.append(second);
  layer.graph.append("Mul", {x});
}
void write_silu(const ExportedLayer& layer) { write_gated(layer, "Sigmoid"); }
void write_mish(const ExportedLayer& layer) { write_gated(layer, "Softplus", "Tanh"); }

/// -softplus(-x), which does not underflow as the logarithm of a sigmoid does.
void write_log_sigmoid(const ExportedLayer& layer) {
  for (const char* op : {"Neg", "Softplus", "Neg"}) layer.graph.append(op);
}

void write_hard_sigmoid(const ExportedLayer& layer) {
  layer.graph.append("HardSigmoid", {}, {{"alpha", 1.0 / 6}, {"beta", 0.5}});
}
void write_leaky_relu(const ExportedLayer& layer) {
  layer.graph.append("LeakyRelu", {}, {{"alpha", layer.as<nn::LeakyReLU>().negative_slope}});
}
void write_elu(const ExportedLayer& layer) {
  layer.graph.append("Elu", {}, {{"alpha", layer.as<nn::ELU>().alpha}});
}
void write_softmax(const ExportedLayer& layer) {
  layer.graph.append("Softmax", {}, {{"axis", layer.as<nn::Softmax>().dim}});
}
void write_log_softmax(const ExportedLayer& layer) {
  layer.graph.append("LogSoftmax", {}, {{"axis", layer.as<nn::LogSoftmax>().dim}});
}

/// x (1 + erf(x / sqrt 2)) / 2, or x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2
void write_gelu(const ExportedLayer& layer) {
  GraphWriter& graph = layer.graph;
  const std::string x = graph.current();
  if (layer.as<nn::GELU>().approximation == GeluApproximation::tanh) {
    graph.append("Mul", {x});
    graph.append("Mul", {x});
    graph.append("Mul", {layer.number("cubic", 0.044715)});
    graph.append("Add", {x});
    graph.append("Mul", {layer.number("scale", std::sqrt(2 / M_PI))});
    graph.append("Tanh");
  } else {
    graph.append("Mul", {layer.number("scale", std::sqrt(0.5))});
    graph.append("Erf");
  }
  graph.append("Add", {layer.number("one", 1)});
  graph.append("Mul", {x});
  graph.append("Mul", {layer.number("half", 0.5)});
}

/// One half of a dimension times the sigmoid of the other.
void write_glu(const ExportedLayer& layer) {
  const std::int64_t given = layer.as<nn::GLU>().dim;
  const std::int64_t dim = given < 0 ? given + layer.rank() : given;
  if (dim == 0)
    layer.refuse("it halves the first dimension, which is free; keep that of the batch");
  GraphWriter& graph = layer.graph;
  const std::string x = graph.current();
  const auto half = [&](std::int64_t begin) {
    const std::int64_t size = layer.output.size(dim);
    using Numbers = std::vector<std::int64_t>;
    return graph.add("Slice", {x, graph.constant("begin", Numbers{begin}),
                               graph.constant("end", Numbers{begin + size}),
                               graph.constant("axis", Numbers{dim})});
  };
  const std::string first = half(0);
  graph.go_on_with(half(layer.output.size(dim)));
  graph.append("Sigmoid");
  graph.append("Mul", {first});
}

/// A slope a channel spans what follows dimension 1.
void write_prelu(const ExportedLayer& layer) {
  const Tensor& weight = layer.as<nn::PReLU>().weight;
  Dims shape{weight.size()};
  for (std::int64_t i = 2; weight.size() > 1 && i < layer.rank(); ++i) shape.push_back(1);
  layer.graph.append("PRelu", {layer.graph.constant("weight", weight.detach().reshape(shape))});
}

}  // namespace

std::vector<LayerRow> activation_layer_rows() {
  return {{typeid(nn::ReLU), write_plain<kRelu>},
          {typeid(nn::ReLU6), write_relu6},
          {typeid(nn::SELU), write_plain<kSelu>},
          {typeid(nn::SiLU), write_silu},
          {typeid(nn::Mish), write_mish},
          {typeid(nn::Softplus), write_plain<kSoftplus>},
          {typeid(nn::Softsign), write_plain<kSoftsign>},
          {typeid(nn::Sigmoid), write_plain<kSigmoid>},
          {typeid(nn::LogSigmoid), write_log_sigmoid},
          {typeid(nn::Hardsigmoid), write_hard_sigmoid},
          {typeid(nn::Hardswish), write_plain<kHardSwish>},
          {typeid(nn::Tanh), write_plain<kTanh>},
          {typeid(nn::LeakyReLU), write_leaky_relu},
          {typeid(nn::ELU), write_elu},
          {typeid(nn::Hardtanh), write_hardtanh},
          {typeid(nn::GELU), write_gelu},
          {typeid(nn::GLU), write_glu},
          {typeid(nn::PReLU), write_prelu},
          {typeid(nn::Softmax), write_softmax},
          {typeid(nn::LogSoftmax), write_log_softmax}};
}

}  // namespace switchyard
