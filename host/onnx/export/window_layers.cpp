// Convolutions and pools.
#include <fmt/format.h>

#include <switchyard/nn/convolution.hpp>
#include <switchyard/nn/pooling.hpp>

#include "functions/windows.hpp"
#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

std::size_t spatial_rank(const ExportedLayer& layer) {
  return static_cast<std::size_t>(layer.rank()) - 2;
}

Numbers each_axis(const ExportedLayer& layer, const Dims& given) {
  return for_each_axis(layer.name, "extents", given, spatial_rank(layer), 0);
}

void require_batch(const ExportedLayer& layer, std::int64_t spatial) {
  if (layer.rank() != spatial + 2) {
    layer.refuse("its input has no dimension for the batch; give an example with one");
  }
}

/// Pads by another rule than zeros, which the Conv itself cannot.
void write_padding(const ExportedLayer& layer, const Numbers& padding, const std::string& mode) {
  if (mode == "circular") layer.refuse("opset 17 has no circular padding");
  Numbers pads{0, 0};
  pads.insert(pads.end(), padding.begin(), padding.end());
  layer.graph.append("Pad", {layer.graph.constant("pads", both_ends(pads))},
                     {{"mode", std::string_view(mode == "replicate" ? "edge" : "reflect")}});
}

void write_convolution(const ExportedLayer& layer, std::int64_t spatial) {
  require_batch(layer, spatial);
  const auto& module = static_cast<const nn::Convolution&>(layer.module);
  Numbers padding = each_axis(layer, module.options.padding);
  if (module.options.padding_mode != "zeros") {
    write_padding(layer, padding, module.options.padding_mode);
    padding.assign(padding.size(), 0);
  }
  Numbers kernel(module.kernel_size.begin(), module.kernel_size.end());
  std::vector<std::string> parameters{layer.graph.constant("weight", module.weight)};
  if (module.bias) parameters.push_back(layer.graph.constant("bias", module.bias));
  layer.graph.append("Conv", parameters,
                     {{"dilations", each_axis(layer, module.options.dilation)},
                      {"group", module.options.groups},
                      {"kernel_shape", kernel},
                      {"pads", both_ends(padding)},
                      {"strides", each_axis(layer, module.options.stride)}});
}
void write_conv1d(const ExportedLayer& layer) { write_convolution(layer, 1); }
void write_conv2d(const ExportedLayer& layer) { write_convolution(layer, 2); }

struct Window {
  Numbers kernel, strides, padding, dilations;
};

Window window_of(const ExportedLayer& layer, std::int64_t spatial) {
  require_batch(layer, spatial);
  const auto& module = static_cast<const nn::Pooling&>(layer.module);
  const Numbers kernel = each_axis(layer, module.kernel_size);
  return {kernel, module.options.stride.empty() ? kernel : each_axis(layer, module.options.stride),
          each_axis(layer, module.options.padding), each_axis(layer, module.options.dilation)};
}

/// How many windows fit along an axis whole.
std::int64_t whole_windows(const ExportedLayer& layer, const Window& window, std::size_t axis) {
  const std::int64_t reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1;
  const std::int64_t length = layer.input.shape()[axis + 2] + 2 * window.padding[axis];
  return (length - reach) / window.strides[axis] + 1;
}

/// Runtimes differ in what ceil_mode means at the edges, so it is not written: extents are known,
/// and windows that hang over the end are a larger padding there.
Numbers pads_of(const ExportedLayer& layer, const Window& window, bool is_average) {
  Numbers ends = window.padding;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::int64_t more = layer.output.shape()[i + 2] - whole_windows(layer, window, i);
    if (more == 0) continue;
    if (is_average) layer.refuse("ceil_mode cuts windows off here; choose extents that fit");
    const std::int64_t reach = window.dilations[i] * (window.kernel[i] - 1) + 1;
    const std::int64_t needed = (layer.output.shape()[i + 2] - 1) * window.strides[i] + reach;
    ends[i] = needed - layer.input.shape()[i + 2] - window.padding[i];
  }
  Numbers pads = window.padding;
  pads.insert(pads.end(), ends.begin(), ends.end());
  return pads;
}

void write_max_pool(const ExportedLayer& layer, std::int64_t spatial) {
  const Window window = window_of(layer, spatial);
  layer.graph.append("MaxPool", {},
                     {{"dilations", window.dilations},
                      {"kernel_shape", window.kernel},
                      {"pads", pads_of(layer, window, false)},
                      {"strides", window.strides}});
}
void write_max_pool1d(const ExportedLayer& layer) { write_max_pool(layer, 1); }
void write_max_pool2d(const ExportedLayer& layer) { write_max_pool(layer, 2); }

void write_average_pool(const ExportedLayer& layer, std::int64_t spatial) {
  Window window = window_of(layer, spatial);
  window.dilations.assign(window.kernel.size(), 1);
  const auto& options = static_cast<const nn::Pooling&>(layer.module).options;
  layer.graph.append("AveragePool", {},
                     {{"count_include_pad", std::int64_t{options.count_include_pad}},
                      {"kernel_shape", window.kernel},
                      {"pads", pads_of(layer, window, true)},
                      {"strides", window.strides}});
}
void write_average_pool1d(const ExportedLayer& layer) { write_average_pool(layer, 1); }
void write_average_pool2d(const ExportedLayer& layer) { write_average_pool(layer, 2); }

void write_adaptive_pool(const ExportedLayer& layer) {
  require_batch(layer, 2);
  const Dims& in = layer.input.shape();
  const Dims& out = layer.output.shape();
  if (out[2] == 1 && out[3] == 1) return layer.graph.append("GlobalAveragePool");
  if (in[2] % out[2] != 0 || in[3] % out[3] != 0) {
    layer.refuse(fmt::format("{} x {} cannot be cut into {} x {} equal windows", in[2], in[3],
                             out[2], out[3]));
  }
  const Numbers window{in[2] / out[2], in[3] / out[3]};
  layer.graph.append("AveragePool", {}, {{"kernel_shape", window}, {"strides", window}});
}

}  // namespace

std::vector<LayerRow> window_layer_rows() {
  return {{typeid(nn::Conv1d), write_conv1d},
          {typeid(nn::Conv2d), write_conv2d},
          {typeid(nn::MaxPool1d), write_max_pool1d},
          {typeid(nn::MaxPool2d), write_max_pool2d},
          {typeid(nn::AvgPool1d), write_average_pool1d},
          {typeid(nn::AvgPool2d), write_average_pool2d},
          {typeid(nn::AdaptiveAvgPool2d), write_adaptive_pool}};
}

}  // namespace switchyard
