// Linear layers, embeddings and norms.
#include <switchyard/functions/creation.hpp>
#include <switchyard/nn/embedding.hpp>
#include <switchyard/nn/linear.hpp>
#include <switchyard/nn/normalization.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

/// Gemm is of matrices; above rank 2 the weight is turned, which happens once, at load.
void write_linear(const ExportedLayer& layer) {
  if (layer.rank() < 2) {
    layer.refuse("its input has no dimension for the batch; give an example with one");
  }
  const auto& module = layer.as<nn::Linear>();
  GraphWriter& graph = layer.graph;
  const std::string weight = graph.constant("weight", module.weight);
  std::vector<std::string> bias;
  if (module.bias) bias.push_back(graph.constant("bias", module.bias));
  if (layer.rank() == 2) {
    std::vector<std::string> parameters{weight};
    parameters.insert(parameters.end(), bias.begin(), bias.end());
    return graph.append("Gemm", parameters, {{"transB", std::int64_t{1}}});
  }
  const std::vector<std::int64_t> turned{1, 0};
  graph.append("MatMul", {graph.add("Transpose", {weight}, {{"perm", turned}})});
  if (module.bias) graph.append("Add", bias);
}

void write_embedding(const ExportedLayer& layer) {
  GraphWriter& graph = layer.graph;
  const std::string weight = graph.constant("weight", layer.as<nn::Embedding>().weight);
  graph.go_on_with(graph.add("Gather", {weight, graph.current()}));
}

/// ONNX's norms always scale: by ones where the layer does not.
std::string scale_or_ones(const ExportedLayer& layer, const Tensor& weight, const Dims& shape) {
  if (weight) return layer.graph.constant("weight", weight);
  return layer.graph.constant("ones", ones(shape, {.dtype = layer.input.dtype()}));
}

void write_batch_norm(const ExportedLayer& layer) {
  const auto& module = static_cast<const nn::BatchNorm&>(layer.module);
  if (!module.running_mean) {
    layer.refuse("without running statistics it depends on the batch; let it track them");
  }
  GraphWriter& graph = layer.graph;
  const Dims shape = module.running_mean.shape();
  const std::string scale = scale_or_ones(layer, module.weight, shape);
  const std::string bias =
      module.bias ? graph.constant("bias", module.bias)
                  : graph.constant("zeros", zeros(shape, {.dtype = layer.input.dtype()}));
  graph.append("BatchNormalization",
               {scale, bias, graph.constant("running_mean", module.running_mean),
                graph.constant("running_var", module.running_var)},
               {{"epsilon", module.options.eps}});
}

void write_layer_norm(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::LayerNorm>();
  std::vector<std::string> parameters{scale_or_ones(layer, module.weight, module.normalized_shape)};
  if (module.bias) parameters.push_back(layer.graph.constant("bias", module.bias));
  const auto axis = -static_cast<std::int64_t>(module.normalized_shape.size());
  layer.graph.append("LayerNormalization", parameters,
                     {{"axis", axis}, {"epsilon", module.options.eps}});
}

}  // namespace

std::vector<LayerRow> weighted_layer_rows() {
  return {{typeid(nn::Linear), write_linear},
          {typeid(nn::Embedding), write_embedding},
          {typeid(nn::BatchNorm1d), write_batch_norm},
          {typeid(nn::BatchNorm2d), write_batch_norm},
          {typeid(nn::LayerNorm), write_layer_norm}};
}

}  // namespace switchyard
