#include "ops/windows/convolution.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mps {
namespace {

using Shape = GraphBuilder::Shape;
using seam::Operation;

constexpr int64_t longest_batch = 65535;
// A window of 256 rows is computed wrongly for a batch of two. What overruns grows with both, by
// Apple's word in pytorch#188359.
constexpr int64_t longest_window = 512;
constexpr int64_t short_window = 16;

bool is_at_risk(const GraphBuilder& graph, uint32_t x, const seam::Window& window) {
  const int64_t longest = std::max(window.size[0], window.size[1]);
  const int64_t batch = graph.shape(x)[0];
  return window.groups > 1 && batch > 1 && graph.element(x) == seam::ElementType::float32 &&
         longest >= short_window && longest * batch >= longest_window;
}

// [n, c, h, w] as [1, n * c, h, w].
uint32_t entries_as_channels(GraphBuilder& graph, uint32_t x) {
  const Shape shape = graph.shape(x);
  return graph.reshape(x, {1, shape[0] * shape[1], shape[2], shape[3]});
}

// [o, ...] as [n * o, ...].
uint32_t repeated(GraphBuilder& graph, uint32_t weights, int64_t count) {
  Shape shape = graph.shape(weights);
  Shape stacked = shape;
  stacked.insert(stacked.begin(), count);
  const uint32_t all = graph.broadcast(weights, stacked);
  shape[0] *= count;
  return graph.reshape(all, shape);
}

uint32_t with_entries_as_groups(GraphBuilder& graph, Operation operation, const Shape& result,
                                uint32_t x, uint32_t y, seam::Window window) {
  const int64_t batch = graph.shape(x)[0];
  window.groups *= batch;
  x = entries_as_channels(graph, x);
  if (operation != Operation::convolution_weight_gradient) {
    y = repeated(graph, y, batch);
    const Shape one = {1, batch * result[1], result[2], result[3]};
    return graph.reshape(graph.add(operation, one, {x, y}, window), result);
  }
  y = entries_as_channels(graph, y);
  Shape all = result;
  all[0] *= batch;
  const uint32_t gradients = graph.add(operation, all, {x, y}, window);
  const int64_t count = result[0] * result[1] * result[2] * result[3];
  const uint32_t sum = graph.add(Operation::sum, Shape{1, count},
                                 {graph.reshape(gradients, {batch, count})}, seam::Axes{{0}});
  return graph.reshape(sum, result);
}

uint32_t entries(GraphBuilder& graph, uint32_t x, int64_t begin, int64_t end) {
  Shape shape = graph.shape(x);
  const seam::Slice slice{{begin, 0, 0, 0}, {end, shape[1], shape[2], shape[3]}, {1, 1, 1, 1}};
  shape[0] = end - begin;
  return graph.add(Operation::slice, shape, {x}, slice);
}

uint32_t sum_over_parts(GraphBuilder& graph, const Shape& result, uint32_t x, uint32_t gradient,
                        const seam::Window& window) {
  constexpr auto wide = seam::ElementType::float32;
  const int64_t batch = graph.shape(x)[0];
  std::optional<uint32_t> total;
  for (int64_t begin = 0; begin < batch; begin += longest_batch) {
    const int64_t end = std::min(batch, begin + longest_batch);
    const uint32_t part = graph.cast(add_convolution(graph, Operation::convolution_weight_gradient,
                                                     result, entries(graph, x, begin, end),
                                                     entries(graph, gradient, begin, end), window),
                                     wide);
    total = total ? graph.add(Operation::add, result, {*total, part}) : part;
  }
  return graph.cast(*total, graph.element(x));
}

}  // namespace

uint32_t add_convolution(GraphBuilder& graph, Operation operation, Shape result, uint32_t x,
                         uint32_t y, seam::Window window) {
  const bool is_gradient = operation == Operation::convolution_weight_gradient;
  if (is_gradient && graph.shape(x)[0] > longest_batch) {
    return sum_over_parts(graph, result, x, y, window);
  }
  if (is_at_risk(graph, x, window)) {
    return with_entries_as_groups(graph, operation, result, x, y, window);
  }
  return graph.add(operation, std::move(result), {x, y}, window);
}

}  // namespace mps
