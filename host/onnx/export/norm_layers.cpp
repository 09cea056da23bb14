// Norms; those that opset 17 lacks are composed of others.
#include <limits>
#include <switchyard/functions/creation.hpp>
#include <switchyard/functions/shaping.hpp>
#include <switchyard/nn/normalization.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

/// ONNX's norms always scale: by ones where the layer does not.
std::string scale_or_ones(const ExportedLayer& layer, const Tensor& weight, const Dims& shape) {
  if (weight.defined()) return layer.graph.constant("weight", weight);
  return layer.graph.constant("ones", ones(shape, {.dtype = layer.input.dtype()}));
}

std::string bias_or_zeros(const ExportedLayer& layer, const Tensor& bias, const Dims& shape) {
  if (bias.defined()) return layer.graph.constant("bias", bias);
  return layer.graph.constant("zeros", zeros(shape, {.dtype = layer.input.dtype()}));
}

/// By running statistics, of a batch norm or an instance norm.
template <typename Norm>
void write_running_norm(const ExportedLayer& layer, const Norm& module) {
  GraphWriter& graph = layer.graph;
  const Dims shape = module.running_mean.shape();
  graph.append(
      "BatchNormalization",
      {scale_or_ones(layer, module.weight, shape), bias_or_zeros(layer, module.bias, shape),
       graph.constant("running_mean", module.running_mean),
       graph.constant("running_var", module.running_var)},
      {{"epsilon", module.options.eps}});
}

void write_batch_norm(const ExportedLayer& layer) {
  const auto& module = static_cast<const nn::BatchNorm&>(layer.module);
  if (!module.running_mean.defined()) {
    layer.refuse("without running statistics it depends on the batch; let it track them");
  }
  write_running_norm(layer, module);
}

void write_instance_norm(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  const auto& module = static_cast<const nn::InstanceNorm&>(layer.module);
  if (module.running_mean.defined()) return write_running_norm(layer, module);
  const Dims shape{module.features};
  layer.graph.append(
      "InstanceNormalization",
      {scale_or_ones(layer, module.weight, shape), bias_or_zeros(layer, module.bias, shape)},
      {{"epsilon", module.options.eps}});
}
void write_instance_norm1d(const ExportedLayer& layer) { write_instance_norm(layer, 1); }
void write_instance_norm2d(const ExportedLayer& layer) { write_instance_norm(layer, 2); }
void write_instance_norm3d(const ExportedLayer& layer) { write_instance_norm(layer, 3); }

void write_layer_norm(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::LayerNorm>();
  std::vector<std::string> parameters{scale_or_ones(layer, module.weight, module.normalized_shape)};
  if (module.bias.defined()) parameters.push_back(layer.graph.constant("bias", module.bias));
  const auto axis = -static_cast<std::int64_t>(module.normalized_shape.size());
  layer.graph.append("LayerNormalization", parameters,
                     {{"axis", axis}, {"epsilon", module.options.eps}});
}

/// The extents of the example, of any batch.
std::string extents_of(const ExportedLayer& layer) {
  const Dims& shape = layer.input.shape();
  std::vector<std::int64_t> extents(shape.begin(), shape.end());
  extents[0] = 0;  // as it is
  return layer.graph.constant("shape", extents);
}

/// GroupNormalization came with opset 18, where its scale is of groups; of channels since 21. So a
/// group becomes a channel, and what is learned of each channel comes after.
void write_group_norm(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::GroupNorm>();
  GraphWriter& graph = layer.graph;
  graph.append("Reshape",
               {graph.constant("groups", std::vector<std::int64_t>{0, module.groups, -1})});
  const TensorOptions like{.dtype = layer.input.dtype()};
  graph.append("InstanceNormalization",
               {graph.constant("ones", ones({module.groups}, like)),
                graph.constant("zeros", zeros({module.groups}, like))},
               {{"epsilon", module.options.eps}});
  graph.append("Reshape", {extents_of(layer)});
  if (!module.weight.defined()) return;
  Dims each_channel{module.weight.size()};
  for (std::int64_t i = 2; i < layer.rank(); ++i) each_channel.push_back(1);
  const auto of_channels = [&](const char* name, const Tensor& parameter) {
    return graph.constant(name, parameter.detach().reshape(each_channel));
  };
  graph.append("Mul", {of_channels("weight", module.weight)});
  graph.append("Add", {of_channels("bias", module.bias)});
}

/// RMSNorm's eps, where it is left out.
double smallest_step(DType dtype) {
  if (dtype == DType::float64) return std::numeric_limits<double>::epsilon();
  if (dtype == DType::float16) return 0x1p-10;
  return static_cast<double>(std::numeric_limits<float>::epsilon());
}

void append_cast(GraphWriter& graph, DType dtype) {
  graph.append("Cast", {}, {{"to", static_cast<std::int64_t>(dtype)}});
}

/// x / sqrt(mean(x^2) + eps); in float32 for float16, whose squares overflow from 256 on.
void write_rms_norm(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::RMSNorm>();
  GraphWriter& graph = layer.graph;
  const DType dtype = layer.input.dtype();
  const DType wide = dtype == DType::float16 ? DType::float32 : dtype;
  std::vector<std::int64_t> axes;
  for (auto i = -static_cast<std::int64_t>(module.normalized_shape.size()); i < 0; ++i) {
    axes.push_back(i);
  }
  const double eps = module.options.eps.value_or(smallest_step(dtype));
  if (wide != dtype) append_cast(graph, wide);
  const std::string x = graph.current();
  graph.append("Mul", {x});
  graph.append("ReduceMean", {}, {{"axes", axes}});
  graph.append("Add", {graph.constant("eps", full({}, eps, {.dtype = wide}))});
  graph.append("Sqrt");
  graph.go_on_with(graph.add("Div", {x, graph.current()}));
  if (wide != dtype) append_cast(graph, dtype);
  if (module.weight.defined()) graph.append("Mul", {graph.constant("weight", module.weight)});
}

}  // namespace

std::vector<LayerRow> norm_layer_rows() {
  return {{typeid(nn::BatchNorm1d), write_batch_norm},
          {typeid(nn::BatchNorm2d), write_batch_norm},
          {typeid(nn::BatchNorm3d), write_batch_norm},
          {typeid(nn::InstanceNorm1d), write_instance_norm1d},
          {typeid(nn::InstanceNorm2d), write_instance_norm2d},
          {typeid(nn::InstanceNorm3d), write_instance_norm3d},
          {typeid(nn::LayerNorm), write_layer_norm},
          {typeid(nn::GroupNorm), write_group_norm},
          {typeid(nn::RMSNorm), write_rms_norm}};
}

}  // namespace switchyard
