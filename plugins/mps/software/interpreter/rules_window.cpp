#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

using seam::Window;

namespace {

// No number here may be so large that the arithmetic below overflows.
bool is_within(const Window::Pair& pair, int64_t least) {
  return pair[0] >= least && pair[1] >= least && pair[0] <= INT32_MAX && pair[1] <= INT32_MAX;
}

const Window& checked_window(const Inspection& node) {
  const auto& window = node.attributes<Window>();
  node.demand(node.operand(0).shape.size() == 4, "x is not [n, c, h, w]");
  node.demand(
      is_within(window.size, 1) && is_within(window.strides, 1) && is_within(window.dilations, 1),
      "a size, stride or dilation of its window is not within 1 and 2^31 - 1");
  node.demand(is_within(window.padding_before, 0) && is_within(window.padding_after, 0),
              "a padding of its window is not within 0 and 2^31 - 1");
  node.demand(window.groups >= 1, "its window has no group");
  return window;
}

// How many positions the window has on an axis of `extent`.
int64_t positions(const Inspection& node, const Window& window, size_t axis, int64_t extent) {
  const int64_t reach = window.dilations[axis] * (window.size[axis] - 1) + 1;
  const int64_t room = extent + window.padding_before[axis] + window.padding_after[axis] - reach;
  node.demand(room >= 0, "its window is larger than the padded image");
  return room / window.strides[axis] + 1;
}

const Shape& checked_weights(const Inspection& node, const Window& window) {
  node.demand_same_elements();
  const Shape& weights = node.operand(1).shape;
  node.demand(weights.size() == 4, "its weights are not of rank 4");
  node.demand(weights[2] == window.size[0] && weights[3] == window.size[1],
              "the size of its window is not that of its weights");
  node.demand(weights[0] % window.groups == 0,
              "its groups do not divide the first extent of its weights");
  return weights;
}

}  // namespace

void check_convolution(const Inspection& node) {
  const Window& window = checked_window(node);
  const Shape& weights = checked_weights(node, window);
  const Shape& x = node.operand(0).shape;
  node.demand(x[1] % window.groups == 0 && x[1] / window.groups == weights[1],
              "its weights do not take the channels of x, divided by its groups");
  node.demand_type(node.operand(0).element, {x[0], weights[0], positions(node, window, 0, x[2]),
                                             positions(node, window, 1, x[3])});
}

void check_transposed_convolution(const Inspection& node) {
  const Window& window = checked_window(node);
  const Shape& weights = checked_weights(node, window);
  const Shape& x = node.operand(0).shape;
  const Shape& result = node.type().shape;
  node.demand(x[1] == weights[0], "its weights do not take the channels of x");
  node.demand(result.size() == 4, "its type is not [n, c, h, w]");
  node.demand(result[1] % window.groups == 0 && result[1] / window.groups == weights[1],
              "its weights do not give the channels of its type, divided by its groups");
  node.demand_type(node.operand(0).element, {x[0], result[1], result[2], result[3]});
  node.demand(positions(node, window, 0, result[2]) == x[2] &&
                  positions(node, window, 1, result[3]) == x[3],
              "the convolution of an image of its type does not give the extents of x");
}

void check_convolution_weight_gradient(const Inspection& node) {
  const Window& window = checked_window(node);
  node.demand_same_elements();
  const Shape& x = node.operand(0).shape;
  const Shape& gradient = node.operand(1).shape;
  node.demand(gradient.size() == 4, "the gradient of its result is not of rank 4");
  node.demand(x[1] % window.groups == 0 && gradient[1] % window.groups == 0,
              "its groups do not divide the channels of x and of the gradient of its result");
  node.demand_type(node.operand(0).element,
                   {gradient[1], x[1] / window.groups, window.size[0], window.size[1]});
  node.demand(gradient[0] == x[0] && gradient[2] == positions(node, window, 0, x[2]) &&
                  gradient[3] == positions(node, window, 1, x[3]),
              "the convolution of x does not give the extents of the gradient of its result");
}

void check_pooling(const Inspection& node) {
  const Window& window = checked_window(node);
  const Shape& x = node.operand(0).shape;
  node.demand_type(node.operand(0).element, {x[0], x[1], positions(node, window, 0, x[2]),
                                             positions(node, window, 1, x[3])});
}

void check_resize(const Inspection& node) {
  const Shape& x = node.operand(0).shape;
  const Shape& result = node.type().shape;
  node.demand(x.size() == 4 && result.size() == 4, "x and its type are not [n, c, h, w]");
  node.demand_type(node.operand(0).element, {x[0], x[1], result[2], result[3]});
  const bool has_source = (x[2] > 0 || result[2] == 0) && (x[3] > 0 || result[3] == 0);
  node.demand(has_source, "x has no element to resize");
}

}  // namespace mps::software::interpreter
