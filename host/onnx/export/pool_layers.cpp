// Pools.
#include <algorithm>
#include <switchyard/functions/creation.hpp>
#include <switchyard/nn/pooling.hpp>

#include "functions/neural/windows.hpp"
#include "onnx/export/layer.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

std::size_t spatial_rank(const ExportedLayer& layer) {
  return static_cast<std::size_t>(layer.rank()) - 2;
}

Numbers each_axis(const ExportedLayer& layer, const Dims& given) {
  return for_each_axis(layer.name, "extents", given, spatial_rank(layer), 0);
}

struct Window {
  Numbers kernel, strides, padding, dilations;
};

template <typename Pool>
Window window_of(const ExportedLayer& layer, const Pool& pool, const Dims& dilation) {
  const Numbers kernel = each_axis(layer, pool.kernel_size);
  return {kernel, pool.options.stride.empty() ? kernel : each_axis(layer, pool.options.stride),
          each_axis(layer, pool.options.padding), each_axis(layer, dilation)};
}

/// How many windows fit along an axis whole.
std::int64_t whole_windows(const ExportedLayer& layer, const Window& window, std::size_t axis) {
  const std::int64_t reach = window.dilations[axis] * (window.kernel[axis] - 1) + 1;
  const std::int64_t length = layer.input.shape()[axis + 2] + 2 * window.padding[axis];
  return (length - reach) / window.strides[axis] + 1;
}

/// Runtimes differ in what ceil_mode means at the edges, so it is not written: extents are known,
/// and windows that hang over the end are a larger padding there.
Numbers overhang_of(const ExportedLayer& layer, const Window& window) {
  Numbers over(window.kernel.size(), 0);
  for (std::size_t i = 0; i < over.size(); ++i) {
    const std::int64_t windows = layer.output.shape()[i + 2];
    if (windows == whole_windows(layer, window, i)) continue;
    const std::int64_t reach = window.dilations[i] * (window.kernel[i] - 1) + 1;
    const std::int64_t length = layer.input.shape()[i + 2] + 2 * window.padding[i];
    over[i] = (windows - 1) * window.strides[i] + reach - length;
  }
  return over;
}

/// By which the layer pads, and windows hang over the end.
Numbers pads_of(const Numbers& padding, const Numbers& overhang) {
  Numbers pads = both_ends(padding);
  for (std::size_t i = 0; i < overhang.size(); ++i) pads[padding.size() + i] += overhang[i];
  return pads;
}

void write_max_pool(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  const auto& pool = static_cast<const nn::MaxPool&>(layer.module);
  const Window window = window_of(layer, pool, pool.options.dilation);
  layer.graph.append("MaxPool", {},
                     {{"dilations", window.dilations},
                      {"kernel_shape", window.kernel},
                      {"pads", pads_of(window.padding, overhang_of(layer, window))},
                      {"strides", window.strides}});
}
void write_max_pool1d(const ExportedLayer& layer) { write_max_pool(layer, 1); }
void write_max_pool2d(const ExportedLayer& layer) { write_max_pool(layer, 2); }

/// What a window hangs over the end never counts, as padding does that is said to count: that is
/// then a Pad of its own.
void write_average_pool(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  const auto& pool = static_cast<const nn::AvgPool&>(layer.module);
  Window window = window_of(layer, pool, 1);
  const Numbers overhang = overhang_of(layer, window), none(overhang.size(), 0);
  bool padding_counts = pool.options.count_include_pad;
  if (padding_counts && overhang != none) {
    Numbers all_axes{0, 0};
    all_axes.insert(all_axes.end(), window.padding.begin(), window.padding.end());
    layer.graph.append("Pad", {layer.graph.constant("pads", both_ends(all_axes))});
    window.padding = none;
    padding_counts = false;
  }
  layer.graph.append("AveragePool", {},
                     {{"count_include_pad", std::int64_t{padding_counts}},
                      {"kernel_shape", window.kernel},
                      {"pads", pads_of(window.padding, overhang)},
                      {"strides", window.strides}});
}
void write_average_pool1d(const ExportedLayer& layer) { write_average_pool(layer, 1); }
void write_average_pool2d(const ExportedLayer& layer) { write_average_pool(layer, 2); }

/// [out, in]: what each of `out` windows takes of `in` elements. They may share some.
Tensor shares(std::int64_t in, std::int64_t out, DType dtype) {
  std::vector<double> elements(static_cast<std::size_t>(in * out), 0);
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t begin = i * in / out, end = ceil_div((i + 1) * in, out);
    std::fill_n(elements.begin() + i * in + begin, end - begin,
                1 / static_cast<double>(end - begin));
  }
  return tensor(elements, {out, in}, {.dtype = dtype});
}

/// Where windows are not equal, ONNX has no op for them; but averages are products.
void write_adaptive_pool(const ExportedLayer& layer) {
  layer.require_batch(2);
  GraphWriter& graph = layer.graph;
  const Dims& in = layer.input.shape();
  const Dims& out = layer.output.shape();
  if (out[2] == 1 && out[3] == 1) return graph.append("GlobalAveragePool");
  if (in[2] % out[2] == 0 && in[3] % out[3] == 0) {
    const Numbers window{in[2] / out[2], in[3] / out[3]};
    return graph.append("AveragePool", {}, {{"kernel_shape", window}, {"strides", window}});
  }
  const DType dtype = layer.input.dtype();
  graph.append("MatMul", {graph.constant("columns", shares(in[3], out[3], dtype).t())});
  const std::string rows = graph.constant("rows", shares(in[2], out[2], dtype));
  graph.go_on_with(graph.add("MatMul", {rows, graph.current()}));
}

}  // namespace

std::vector<LayerRow> pool_layer_rows() {
  return {{typeid(nn::MaxPool1d), write_max_pool1d},
          {typeid(nn::MaxPool2d), write_max_pool2d},
          {typeid(nn::AvgPool1d), write_average_pool1d},
          {typeid(nn::AvgPool2d), write_average_pool2d},
          {typeid(nn::AdaptiveAvgPool2d), write_adaptive_pool}};
}

}  // namespace switchyard
