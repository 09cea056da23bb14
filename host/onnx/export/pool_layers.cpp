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
void write_max_pool3d(const ExportedLayer& layer) { write_max_pool(layer, 3); }

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
void write_average_pool3d(const ExportedLayer& layer) { write_average_pool(layer, 3); }

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

/// A pool whose windows follow each other, if they can: where they are equal.
bool write_equal_windows(const ExportedLayer& layer, std::string_view op) {
  Numbers window;
  for (std::int64_t d = 2; d < layer.rank(); ++d) {
    if (layer.input.size(d) % layer.output.size(d) != 0) return false;
    window.push_back(layer.input.size(d) / layer.output.size(d));
  }
  layer.graph.append(op, {}, {{"kernel_shape", window}, {"strides", window}});
  return true;
}

bool is_one_window(const ExportedLayer& layer) {
  for (std::int64_t d = 2; d < layer.rank(); ++d) {
    if (layer.output.size(d) != 1) return false;
  }
  return true;
}

/// Where windows are not equal, ONNX has no op for them; but averages are products.
void write_adaptive_average(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  GraphWriter& graph = layer.graph;
  if (is_one_window(layer)) return graph.append("GlobalAveragePool");
  if (write_equal_windows(layer, "AveragePool")) return;
  if (spatial == 3) layer.refuse("its windows are not equal; let it divide the extents");
  const DType dtype = layer.input.dtype();
  const auto table = [&](std::int64_t dim) {
    return shares(layer.input.size(dim), layer.output.size(dim), dtype);
  };
  graph.append("MatMul", {graph.constant("columns", table(-1).t())});
  if (spatial == 1) return;
  const std::string rows = graph.constant("rows", table(-2));
  graph.go_on_with(graph.add("MatMul", {rows, graph.current()}));
}

void write_adaptive_maximum(const ExportedLayer& layer, std::int64_t spatial) {
  layer.require_batch(spatial);
  if (is_one_window(layer)) return layer.graph.append("GlobalMaxPool");
  if (write_equal_windows(layer, "MaxPool")) return;
  layer.refuse("its windows are not equal; let it divide the extents");
}

template <std::int64_t spatial>
void write_adaptive_average_of(const ExportedLayer& layer) {
  write_adaptive_average(layer, spatial);
}
template <std::int64_t spatial>
void write_adaptive_maximum_of(const ExportedLayer& layer) {
  write_adaptive_maximum(layer, spatial);
}

}  // namespace

std::vector<LayerRow> pool_layer_rows() {
  return {{typeid(nn::MaxPool1d), write_max_pool1d},
          {typeid(nn::MaxPool2d), write_max_pool2d},
          {typeid(nn::MaxPool3d), write_max_pool3d},
          {typeid(nn::AvgPool1d), write_average_pool1d},
          {typeid(nn::AvgPool2d), write_average_pool2d},
          {typeid(nn::AvgPool3d), write_average_pool3d},
          {typeid(nn::AdaptiveAvgPool1d), write_adaptive_average_of<1>},
          {typeid(nn::AdaptiveAvgPool2d), write_adaptive_average_of<2>},
          {typeid(nn::AdaptiveAvgPool3d), write_adaptive_average_of<3>},
          {typeid(nn::AdaptiveMaxPool1d), write_adaptive_maximum_of<1>},
          {typeid(nn::AdaptiveMaxPool2d), write_adaptive_maximum_of<2>},
          {typeid(nn::AdaptiveMaxPool3d), write_adaptive_maximum_of<3>}};
}

}  // namespace switchyard
