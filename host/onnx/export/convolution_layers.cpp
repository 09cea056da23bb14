#include <limits>
#include <switchyard/nn/convolution.hpp>

#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

Numbers numbers(const Dims& dims) { return {dims.begin(), dims.end()}; }

/// The begins of all dimensions, then the ends.
Numbers joined(const Dims& begin, const Dims& end, std::size_t unpadded) {
  Numbers pads(unpadded, 0);
  pads.insert(pads.end(), begin.begin(), begin.end());
  pads.insert(pads.end(), unpadded, 0);
  pads.insert(pads.end(), end.begin(), end.end());
  return pads;
}

/// Elements `begin` to `end` of a dimension of a value.
std::string slice_of(const ExportedLayer& layer, const std::string& value, std::int64_t axis,
                     std::int64_t begin, std::int64_t end) {
  GraphWriter& graph = layer.graph;
  return graph.add(
      "Slice", {value, graph.constant("begin", Numbers{begin}), graph.constant("end", Numbers{end}),
                graph.constant("axis", Numbers{axis})});
}

/// Pad learned to go around with opset 19 only: what is at one end goes before the other.
void write_circular_padding(const ExportedLayer& layer, const nn::Convolution::Ends& ends) {
  constexpr std::int64_t kToTheEnd = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < ends.begin.size(); ++i) {
    const auto axis = static_cast<std::int64_t>(i) + 2;
    const std::string middle = layer.graph.current();
    std::vector<std::string> parts;
    if (ends.begin[i] > 0) {
      parts.push_back(slice_of(layer, middle, axis, -ends.begin[i], kToTheEnd));
    }
    parts.push_back(middle);
    if (ends.end[i] > 0) parts.push_back(slice_of(layer, middle, axis, 0, ends.end[i]));
    if (parts.size() == 1) continue;
    layer.graph.go_on_with(layer.graph.add("Concat", parts, {{"axis", axis}}));
  }
}

/// Pads by another rule than zeros, which the Conv itself cannot.
void write_padding(const ExportedLayer& layer, const nn::Convolution::Ends& ends,
                   PaddingMode mode) {
  if (mode == PaddingMode::circular) return write_circular_padding(layer, ends);
  layer.graph.append(
      "Pad", {layer.graph.constant("pads", joined(ends.begin, ends.end, 2))},
      {{"mode", std::string_view(mode == PaddingMode::replicate ? "edge" : "reflect")}});
}

void write_convolution(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  const auto& module = static_cast<const nn::Convolution&>(layer.module);
  nn::Convolution::Ends ends = module.padded_ends();
  if (module.options.padding_mode != PaddingMode::constant) {
    write_padding(layer, ends, module.options.padding_mode);
    ends.begin = ends.end = Dims::filled(ends.begin.size(), 0);
  }
  std::vector<std::string> parameters{layer.graph.constant("weight", module.weight)};
  if (module.bias.defined()) parameters.push_back(layer.graph.constant("bias", module.bias));
  layer.graph.append("Conv", parameters,
                     {{"dilations", numbers(module.options.dilation)},
                      {"group", module.options.groups},
                      {"kernel_shape", numbers(module.kernel_size)},
                      {"pads", joined(ends.begin, ends.end, 0)},
                      {"strides", numbers(module.options.stride)}});
}
void write_transposed(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  const auto& module = static_cast<const nn::ConvolutionTranspose&>(layer.module);
  const nn::ConvolutionTransposeOptions& options = module.options;
  std::vector<std::string> parameters{layer.graph.constant("weight", module.weight)};
  if (module.bias.defined()) parameters.push_back(layer.graph.constant("bias", module.bias));
  layer.graph.append("ConvTranspose", parameters,
                     {{"dilations", numbers(options.dilation)},
                      {"group", options.groups},
                      {"kernel_shape", numbers(module.kernel_size)},
                      {"output_padding", numbers(options.output_padding)},
                      {"pads", joined(options.padding, options.padding, 0)},
                      {"strides", numbers(options.stride)}});
}

void write_conv1d(const ExportedLayer& layer) { write_convolution(layer, 1); }
void write_conv2d(const ExportedLayer& layer) { write_convolution(layer, 2); }
void write_conv3d(const ExportedLayer& layer) { write_convolution(layer, 3); }
void write_transposed1d(const ExportedLayer& layer) { write_transposed(layer, 1); }
void write_transposed2d(const ExportedLayer& layer) { write_transposed(layer, 2); }
void write_transposed3d(const ExportedLayer& layer) { write_transposed(layer, 3); }

}  // namespace

std::vector<LayerRow> convolution_layer_rows() {
  return {{typeid(nn::Conv1d), write_conv1d},
          {typeid(nn::Conv2d), write_conv2d},
          {typeid(nn::Conv3d), write_conv3d},
          {typeid(nn::ConvTranspose1d), write_transposed1d},
          {typeid(nn::ConvTranspose2d), write_transposed2d},
          {typeid(nn::ConvTranspose3d), write_transposed3d}};
}

}  // namespace switchyard
