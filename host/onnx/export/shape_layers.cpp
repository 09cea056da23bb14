// Layers that change shapes, and those that change nothing where a network is evaluated.
#include <switchyard/nn/dropout.hpp>
#include <switchyard/nn/shape.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

void write_nothing(const ExportedLayer&) {}

/// The extents of the example's output, but for the first: it is kept, or is what is left.
void write_reshape(const ExportedLayer& layer, std::int64_t first) {
  std::vector<std::int64_t> shape(layer.output.shape().begin(), layer.output.shape().end());
  shape[0] = first;
  layer.graph.append("Reshape", {layer.graph.constant("shape", shape)});
}

void write_flatten(const ExportedLayer& layer) {
  const auto& module = layer.as<nn::Flatten>();
  const auto normalize_axis = [&](std::int64_t dim) { return dim < 0 ? dim + layer.rank() : dim; };
  const std::int64_t start = normalize_axis(module.start_dim), end = normalize_axis(module.end_dim);
  if (start == end) return;
  if (start == 1 && end == layer.rank() - 1) {
    return layer.graph.append("Flatten", {}, {{"axis", std::int64_t{1}}});
  }
  write_reshape(layer, start == 0 ? -1 : 0);
}

void write_unflatten(const ExportedLayer& layer) {
  const std::int64_t dim = layer.as<nn::Unflatten>().dim;
  if (dim == 0 || dim == -layer.rank()) {
    layer.refuse("it cuts the first dimension, which is free; keep that of the batch");
  }
  write_reshape(layer, 0);
}

}  // namespace

std::vector<LayerRow> shape_layer_rows() {
  return {{typeid(nn::Dropout), write_nothing},    {typeid(nn::Dropout1d), write_nothing},
          {typeid(nn::Dropout2d), write_nothing},  {typeid(nn::Dropout3d), write_nothing},
          {typeid(nn::Identity), write_nothing},   {typeid(nn::Flatten), write_flatten},
          {typeid(nn::Unflatten), write_unflatten}};
}

}  // namespace switchyard
