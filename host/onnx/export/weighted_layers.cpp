// Linear layers and embeddings.
#include <switchyard/nn/embedding.hpp>
#include <switchyard/nn/linear.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

void write_linear(const ExportedLayer& layer) {
  if (layer.rank() < 2) {
    layer.refuse("its input has no dimension for the batch; give an example with one");
  }
  const auto& module = layer.as<nn::Linear>();
  layer.write_product("", module.weight, module.bias);
}

void write_embedding(const ExportedLayer& layer) {
  GraphWriter& graph = layer.graph;
  const std::string weight = graph.constant("weight", layer.as<nn::Embedding>().weight);
  graph.go_on_with(graph.add("Gather", {weight, graph.current()}));
}

}  // namespace

/// Gemm is of matrices; above rank 2 the weight is turned, which happens once, at load.
void ExportedLayer::write_product(const std::string& prefix, const Tensor& weight,
                                  const Tensor& bias) const {
  std::vector<std::string> biases;
  const std::string factor = graph.constant(prefix + "weight", weight);
  if (bias.defined()) biases.push_back(graph.constant(prefix + "bias", bias));
  if (rank() == 2) {
    std::vector<std::string> parameters{factor};
    parameters.insert(parameters.end(), biases.begin(), biases.end());
    return graph.append("Gemm", parameters, {{"transB", std::int64_t{1}}});
  }
  const std::vector<std::int64_t> turned{1, 0};
  graph.append("MatMul", {graph.add("Transpose", {factor}, {{"perm", turned}})});
  if (bias.defined()) graph.append("Add", biases);
}

std::vector<LayerRow> weighted_layer_rows() {
  return {{typeid(nn::Linear), write_linear}, {typeid(nn::Embedding), write_embedding}};
}

}  // namespace switchyard
