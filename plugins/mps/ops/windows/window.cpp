// Convolutions and pooling, by MPSGraph.
#include "ops/windows/window.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "ops/building/graph_builder.hpp"
#include "ops/kernel.hpp"
#include "ops/windows/convolution.hpp"
#include "ops/windows/pool_window.hpp"

namespace mps {
namespace {

using Shape = GraphBuilder::Shape;

// An attribute with a number for each spatial axis, of a node whose axes are the last `spatial`.
seam::Window::Pair pair_of(const sy::Node& node, const char* name, size_t spatial,
                           int64_t otherwise, size_t from = 0) {
  seam::Window::Pair pair{otherwise, otherwise};
  if (!node.has(name)) return pair;
  const auto values = node.integers(name);
  if (spatial == 1) return {otherwise, values[from]};
  return {values[from], values[from + 1]};
}

// Elements that a window spans.
int64_t span_of(const seam::Window& window, size_t axis) {
  return (window.size[axis] - 1) * window.dilations[axis] + 1;
}

// Sets the padding, explicit or such that the output has ONNX's extents.
void set_padding(seam::Window& window, const sy::Node& node, const Shape& input,
                 const Shape& output, size_t spatial) {
  const std::string_view automatic = node.text("auto_pad", "NOTSET");
  if (automatic == "NOTSET" || automatic == "VALID") {
    if (automatic == "NOTSET") {
      window.padding_before = pair_of(node, "pads", spatial, 0);
      window.padding_after = pair_of(node, "pads", spatial, 0, spatial);
    }
    return;
  }
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t needed = std::max<int64_t>(
        0, (output[2 + axis] - 1) * window.strides[axis] + span_of(window, axis) - input[2 + axis]);
    const int64_t less = needed / 2;
    const int64_t more = needed - less;
    window.padding_before[axis] = automatic == "SAME_UPPER" ? less : more;
    window.padding_after[axis] = automatic == "SAME_UPPER" ? more : less;
  }
}

// Room after the input for windows that reach beyond its padding: the last ones of ceil_mode, and
// those that are larger than all of it. None for windows that would begin in the padding after,
// which ceil_mode leaves out.
void extend_padding(seam::Window& window, const Shape& input, const Shape& output) {
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t reached = (output[2 + axis] - 1) * window.strides[axis] + span_of(window, axis);
    const int64_t missing = reached - input[2 + axis] - window.padding_before[axis];
    int64_t& after = window.padding_after[axis];
    const bool has_room_for_more = after - missing >= window.strides[axis];
    if (missing > after || has_room_for_more) after = std::max<int64_t>(0, missing);
  }
}

// The window of a pool, with padding as its attributes give it; both shapes have two axes.
seam::Window given_pool_window(const sy::Node& node, size_t spatial, const Shape& input,
                               const Shape& output) {
  seam::Window window;
  window.size = pair_of(node, "kernel_shape", spatial, 1);
  window.strides = pair_of(node, "strides", spatial, 1);
  window.dilations = pair_of(node, "dilations", spatial, 1);
  window.counts_padding = node.flag("count_include_pad");
  set_padding(window, node, input, output, spatial);
  return window;
}

// Whether there can be a place from which a window has padding alone.
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

uint32_t lower_convolution(GraphBuilder& graph, const sy::Node& node) {
  uint32_t input = graph.input(node, 0);
  uint32_t weights = graph.input(node, 1);
  const size_t spatial = graph.shape(input).size() - 2;
  input = graph.reshape(input, with_two_axes(graph.shape(input)));
  weights = graph.reshape(weights, with_two_axes(graph.shape(weights)));
  const Shape wanted = type_of(node.needed_output(0)).shape;
  const Shape output = with_two_axes(wanted);
  const seam::Window window =
      convolution_window(node, spatial, graph.shape(input), graph.shape(weights), output);
  uint32_t result =
      add_convolution(graph, seam::Operation::convolution, output, input, weights, window);
  result = add_bias(graph, node, result);
  return graph.reshape(result, wanted);
}

uint32_t lower_transposed_convolution(GraphBuilder& graph, const sy::Node& node) {
  uint32_t input = graph.input(node, 0);
  uint32_t weights = graph.input(node, 1);
  const size_t spatial = graph.shape(input).size() - 2;
  input = graph.reshape(input, with_two_axes(graph.shape(input)));
  weights = graph.reshape(weights, with_two_axes(graph.shape(weights)));
  const Shape wanted = type_of(node.needed_output(0)).shape;
  const Shape output = with_two_axes(wanted);
  seam::Window window;
  window.size = {graph.shape(weights)[2], graph.shape(weights)[3]};
  window.strides = pair_of(node, "strides", spatial, 1);
  window.dilations = pair_of(node, "dilations", spatial, 1);
  window.groups = node.integer("group", 1);
  window.padding_before = pair_of(node, "pads", spatial, 0);
  // The padding after follows from the output's extents, output_padding among them.
  for (size_t axis = 0; axis < 2; ++axis) {
    const int64_t full =
        (graph.shape(input)[2 + axis] - 1) * window.strides[axis] + span_of(window, axis);
    const int64_t after = full - output[2 + axis] - window.padding_before[axis];
    if (-after >= window.strides[axis]) {
      throw sy::unsupported(SY_REASON_ATTRIBUTE, "output_padding, less the padding after, of ",
                            -after, " where a stride is ", window.strides[axis]);
    }
    window.padding_after[axis] = std::max<int64_t>(0, after);
  }
  uint32_t result = add_convolution(graph, seam::Operation::transposed_convolution, output, input,
                                    weights, window);
  result = add_bias(graph, node, result);
  return graph.reshape(result, wanted);
}

// The window of the convolution from `input` by `weights` to `output`, whose gradient this is.
seam::Window forward_window(const sy::Node& node, const Shape& input, const Shape& weights,
                            const Shape& output) {
  const size_t spatial = type_of(node.needed_input(0)).shape.size() - 2;
  return convolution_window(node, spatial, input, weights, output);
}

uint32_t lower_input_gradient(GraphBuilder& graph, const sy::Node& node) {
  uint32_t gradient = graph.input(node, 0);
  uint32_t weights = graph.input(node, 1);
  gradient = graph.reshape(gradient, with_two_axes(graph.shape(gradient)));
  weights = graph.reshape(weights, with_two_axes(graph.shape(weights)));
  const Shape wanted = type_of(node.needed_output(0)).shape;
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
  const Shape wanted = type_of(node.needed_output(0)).shape;
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
  const Shape wanted = type_of(node.needed_output(0)).shape;
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
  return graph.add(operation, type_of(node.needed_output(0)).shape, {input}, axes);
}

void check_spatial_axes(const sy::Node& node) {
  const sy_value& input = node.needed_input(0);
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
  const sy_value &x = node.needed_input(0), &y = node.needed_output(0);
  const bool is_known = sy::has_known_shape(x) && sy::has_known_shape(y);
  if (node.op() != "AveragePool" || !is_known) return;
  if (sy::element_count(sy::shape_of(y)) == 0) return;  // no window has a place in the image
  const Shape input = with_two_axes(type_of(x).shape), output = with_two_axes(type_of(y).shape);
  check_mean(given_pool_window(node, type_of(x).shape.size() - 2, input, output), input, output);
}

std::vector<Row> make_window_rows() {
  constexpr uint64_t floats = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT16);
  constexpr auto pooled_everywhere = [](const char* op) {
    return Row{.claim = {.op = op, .dtypes = floats, .min_rank = 3, .max_rank = 16},
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
  seam::Window window;
  window.size = {weights[2], weights[3]};
  window.strides = pair_of(node, "strides", spatial, 1);
  window.dilations = pair_of(node, "dilations", spatial, 1);
  window.groups = node.integer("group", 1);
  set_padding(window, node, input, output, spatial);
  return window;
}

std::span<const Row> window_rows() {
  static const auto& rows = *new const std::vector<Row>(make_window_rows());
  return rows;
}

}  // namespace mps
