// Convolutions and pooling, by MPSGraph.
#include "ops/windows/window.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "ops/building/graph_builder.hpp"
#include "ops/kernel.hpp"
#include "ops/windows/convolution.hpp"
#include "ops/windows/pool_window.hpp"
#include "switchyard/plugin/window.hpp"

namespace mps {
namespace {

using Shape = GraphBuilder::Shape;

// Sets the window on one of the two axes.
void set_axis(seam::Window& window, size_t axis, const sy::WindowAxis& on) {
  window.strides[axis] = on.stride;
  window.dilations[axis] = on.dilation;
  window.padding_before[axis] = on.pad_before;
  window.padding_after[axis] = on.pad_after;
}

sy::WindowAxis axis_of(const seam::Window& window, size_t axis) {
  return {window.size[axis], window.strides[axis], window.dilations[axis],
          window.padding_before[axis], window.padding_after[axis]};
}

// The window of `size`, on the `spatial` axes that the node has, with the padding that gives the
// output ONNX's extents.
seam::Window window_of(const sy::Node& node, const seam::Window::Pair& size, size_t spatial,
                       const Shape& input, const Shape& output) {
  const sy::WindowAttributes attributes(node);
  seam::Window window;
  window.size = size;
  for (size_t i = 0; i < spatial; ++i) {
    const size_t axis = 2 - spatial + i;
    set_axis(window, axis, attributes.axis(i, size[axis], input[2 + axis], output[2 + axis]));
  }
  return window;
}

// Room after the input for windows that reach beyond its padding: the last ones of ceil_mode, and
// those that are larger than all of it. None for windows that would begin in the padding after,
// which ceil_mode leaves out.
void extend_padding(seam::Window& window, const Shape& input, const Shape& output) {
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t reached = axis_of(window, axis).reach(output[2 + axis]);
    const int64_t missing = reached - input[2 + axis] - window.padding_before[axis];
    int64_t& after = window.padding_after[axis];
    const bool has_room_for_more = after - missing >= window.strides[axis];
    if (missing > after || has_room_for_more) after = std::max<int64_t>(0, missing);
  }
}

// The window of a pool, with padding as its attributes give it; both shapes have two axes.
seam::Window given_pool_window(const sy::Node& node, size_t spatial, const Shape& input,
                               const Shape& output) {
  const auto kernel = node.integers("kernel_shape");
  seam::Window::Pair size{1, 1};
  std::copy(kernel.begin(), kernel.end(), size.end() - static_cast<std::ptrdiff_t>(spatial));
  seam::Window window = window_of(node, size, spatial, input, output);
  window.counts_padding = node.flag("count_include_pad");
  return window;
}

// Whether there can be a position from which a window has padding alone.
bool may_see_nothing(const seam::Window& window) {
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t padding = std::max(window.padding_before[axis], window.padding_after[axis]);
    if (padding > 0 && (window.dilations[axis] > 1 || padding >= window.size[axis])) return true;
  }
  return false;
}

uint32_t add_bias(GraphBuilder& graph, const sy::Node& node, uint32_t result) {
  if (node.input(2) == nullptr) return result;
  const Shape shape = graph.shape(result);
  const uint32_t bias = graph.reshape(graph.input(node, 2), {1, shape[1], 1, 1});
  return graph.add(seam::Operation::add, shape, {result, bias});
}

// The window of a transposed convolution. The padding after follows from the output's extents,
// output_padding among them.
seam::Window transposed_window(const sy::Node& node, size_t spatial, const Shape& input,
                               const Shape& weights, const Shape& output) {
  seam::Window window = window_of(node, {weights[2], weights[3]}, spatial, output, input);
  window.groups = node.integer("group", 1);
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t full = axis_of(window, axis).reach(input[2 + axis]);
    const int64_t after = full - output[2 + axis] - window.padding_before[axis];
    if (-after >= window.strides[axis]) {
      throw sy::unsupported(SY_REASON_ATTRIBUTE, "output_padding, less the padding after, of ",
                            -after, " where a stride is ", window.strides[axis]);
    }
    window.padding_after[axis] = std::max<int64_t>(0, after);
  }
  return window;
}

using WindowOf = seam::Window (*)(const sy::Node& node, size_t spatial, const Shape& input,
                                  const Shape& weights, const Shape& output);

// Graphs have two spatial axes: what has one is seen with another of extent 1.
uint32_t lower_by_weights(GraphBuilder& graph, const sy::Node& node, seam::Operation operation,
                          WindowOf window_of_node) {
  uint32_t input = graph.input(node, 0);
  uint32_t weights = graph.input(node, 1);
  const size_t spatial = graph.shape(input).size() - 2;
  input = graph.reshape(input, with_two_axes(graph.shape(input)));
  weights = graph.reshape(weights, with_two_axes(graph.shape(weights)));
  const Shape wanted = type_of(node.required_output(0)).shape;
  const Shape output = with_two_axes(wanted);
  const seam::Window window =
      window_of_node(node, spatial, graph.shape(input), graph.shape(weights), output);
  const uint32_t result = add_convolution(graph, operation, output, input, weights, window);
  return graph.reshape(add_bias(graph, node, result), wanted);
}

uint32_t lower_convolution(GraphBuilder& graph, const sy::Node& node) {
  return lower_by_weights(graph, node, seam::Operation::convolution, convolution_window);
}

uint32_t lower_transposed_convolution(GraphBuilder& graph, const sy::Node& node) {
  return lower_by_weights(graph, node, seam::Operation::transposed_convolution, transposed_window);
}

// The window of the convolution from `input` by `weights` to `output`, whose gradient this is.
seam::Window forward_window(const sy::Node& node, const Shape& input, const Shape& weights,
                            const Shape& output) {
  const size_t spatial = type_of(node.required_input(0)).shape.size() - 2;
  return convolution_window(node, spatial, input, weights, output);
}

uint32_t lower_input_gradient(GraphBuilder& graph, const sy::Node& node) {
  uint32_t gradient = graph.input(node, 0);
  uint32_t weights = graph.input(node, 1);
  gradient = graph.reshape(gradient, with_two_axes(graph.shape(gradient)));
  weights = graph.reshape(weights, with_two_axes(graph.shape(weights)));
  const Shape wanted = type_of(node.required_output(0)).shape;
  const Shape result = with_two_axes(wanted);
  const seam::Window window =
      forward_window(node, result, graph.shape(weights), graph.shape(gradient));
  return graph.reshape(add_convolution(graph, seam::Operation::transposed_convolution, result,
                                       gradient, weights, window),
                       wanted);
}

uint32_t lower_weight_gradient(GraphBuilder& graph, const sy::Node& node) {
  uint32_t input = graph.input(node, 0);
  uint32_t gradient = graph.input(node, 1);
  input = graph.reshape(input, with_two_axes(graph.shape(input)));
  gradient = graph.reshape(gradient, with_two_axes(graph.shape(gradient)));
  const Shape wanted = type_of(node.required_output(0)).shape;
  const Shape result = with_two_axes(wanted);
  const seam::Window window =
      forward_window(node, graph.shape(input), result, graph.shape(gradient));
  return graph.reshape(add_convolution(graph, seam::Operation::convolution_weight_gradient, result,
                                       input, gradient, window),
                       wanted);
}

uint32_t lower_pool(GraphBuilder& graph, const sy::Node& node) {
  uint32_t input = graph.input(node, 0);
  const size_t spatial = graph.shape(input).size() - 2;
  input = graph.reshape(input, with_two_axes(graph.shape(input)));
  const Shape wanted = type_of(node.required_output(0)).shape;
  const Shape output = with_two_axes(wanted);
  seam::Window window = given_pool_window(node, spatial, graph.shape(input), output);
  extend_padding(window, graph.shape(input), output);
  const auto operation =
      node.op() == "MaxPool" ? seam::Operation::max_pool : seam::Operation::average_pool;
  const uint32_t result = graph.add(operation, output, {input}, window);
  return graph.reshape(result, wanted);
}

uint32_t lower_global_pool(GraphBuilder& graph, const sy::Node& node) {
  const uint32_t input = graph.input(node, 0);
  seam::Axes axes;
  axes.axes.resize(graph.shape(input).size() - 2);
  std::iota(axes.axes.begin(), axes.axes.end(), 2);
  const auto operation =
      node.op() == "GlobalMaxPool" ? seam::Operation::largest : seam::Operation::mean;
  return graph.add(operation, type_of(node.required_output(0)).shape, {input}, axes);
}

void check_spatial_axes(const sy::Node& node) {
  const sy_value& input = node.required_input(0);
  if (sy::has_rank(input) && input.rank != 3 && input.rank != 4) {
    throw sy::unsupported(SY_REASON_RANK, "one or two spatial axes, not ",
                          static_cast<int64_t>(input.rank) - 2);
  }
}

void check_transposed_convolution(const sy::Node& node) {
  check_spatial_axes(node);
  if (node.text("auto_pad", "NOTSET") != "NOTSET" || node.has("output_shape")) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "auto_pad and output_shape are not read");
  }
}

void check_mean(const seam::Window& given, const Shape& input, const Shape& output) {
  seam::Window window = given;
  extend_padding(window, input, output);
  if (window.counts_padding && window.padding_after != given.padding_after) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE,
                          "count_include_pad where windows reach beyond the padding");
  }
  if (may_see_nothing(window)) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "windows that may see padding alone");
  }
}

void check_graph_pool(const sy::Node& node) {
  check_spatial_axes(node);
  check_window_size(node);
  if (node.output(1) != nullptr) {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, "no indices of the largest elements");
  }
  const sy_value &x = node.required_input(0), &y = node.required_output(0);
  const bool is_known = sy::has_known_shape(x) && sy::has_known_shape(y);
  if (node.op() != "AveragePool" || !is_known) return;
  if (sy::element_count(sy::shape_of(y)) == 0) return;  // no window has a position in the image
  const Shape input = with_two_axes(type_of(x).shape), output = with_two_axes(type_of(y).shape);
  check_mean(given_pool_window(node, type_of(x).shape.size() - 2, input, output), input, output);
}

std::vector<KernelRow> make_window_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr auto pooled_everywhere = [](const char* op) {
    return KernelRow{.claim = {.op = op, .dtypes = floats, .min_rank = 3, .max_rank = 16},
                     .lower = lower_global_pool};
  };
  return {
      {.claim = {.op = "Conv", .dtypes = floats},
       .check = check_spatial_axes,
       .lower = lower_convolution},
      {.claim = {.op = "ConvTranspose", .dtypes = floats},
       .check = check_transposed_convolution,
       .lower = lower_transposed_convolution},
      {.claim = {.op = "ConvInputGradient", .domain = "switchyard", .dtypes = floats},
       .check = check_spatial_axes,
       .lower = lower_input_gradient},
      {.claim = {.op = "ConvWeightGradient", .domain = "switchyard", .dtypes = floats},
       .check = check_spatial_axes,
       .lower = lower_weight_gradient},
      {.claim = {.op = "MaxPool", .dtypes = floats},
       .check = check_graph_pool,
       .lower = lower_pool},
      {.claim = {.op = "AveragePool", .dtypes = floats},
       .check = check_graph_pool,
       .lower = lower_pool},
      pooled_everywhere("GlobalAveragePool"),
      pooled_everywhere("GlobalMaxPool"),
  };
}

}  // namespace

Shape with_two_axes(const Shape& shape) {
  if (shape.size() != 3) return shape;
  return {shape[0], shape[1], 1, shape[2]};
}

seam::Window convolution_window(const sy::Node& node, size_t spatial, const Shape& input,
                                const Shape& weights, const Shape& output) {
  seam::Window window = window_of(node, {weights[2], weights[3]}, spatial, input, output);
  window.groups = node.integer("group", 1);
  return window;
}

std::span<const KernelRow> window_rows() {
  static const auto& rows = *new const std::vector<KernelRow>(make_window_rows());
  return rows;
}

}  // namespace mps
