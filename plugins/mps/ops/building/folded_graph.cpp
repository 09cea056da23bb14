#include "ops/building/folded_graph.hpp"

#include <algorithm>
#include <utility>

#include "ops/building/axis_groups.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

using seam::Operation;
using namespace axis_groups;

bool is_elementwise(Operation operation) {
  return operation >= Operation::absolute && operation <= Operation::square_root;
}

bool broadcasts(Operation operation) {
  return (operation >= Operation::add && operation <= Operation::clamp) ||
         operation == Operation::normalize || operation == Operation::broadcast;
}

}  // namespace

uint32_t FoldedGraph::add_value(seam::TensorType type, uint32_t node) {
  values_.push_back({std::move(type), node});
  return static_cast<uint32_t>(values_.size() - 1);
}

uint32_t FoldedGraph::add_node(Operation operation, seam::TensorType type,
                               std::vector<uint32_t> operands, seam::Attributes attributes) {
  graph_.nodes.push_back(
      {operation, std::move(type), std::move(operands), std::move(attributes), {}});
  return static_cast<uint32_t>(graph_.nodes.size() - 1);
}

// Of the operand's element type.
uint32_t FoldedGraph::like(Operation operation, Shape shape, uint32_t operand,
                           seam::Attributes attributes) {
  const seam::ElementType element = graph_.nodes[operand].type.element;
  return add_node(operation, {element, std::move(shape)}, {operand}, std::move(attributes));
}

uint32_t FoldedGraph::reshaped(uint32_t node, const Shape& shape) {
  if (graph_.nodes[node].type.shape == shape) return node;
  return like(Operation::reshape, shape, node, {});
}

uint32_t FoldedGraph::add_input(seam::TensorType type) {
  seam::TensorType own = type;
  if (own.shape.size() > most_axes) own.shape = {count_of(own.shape)};
  const uint32_t node = add_node(Operation::input, std::move(own), {});
  graph_.inputs.push_back(node);
  return add_value(std::move(type), node);
}

uint32_t FoldedGraph::add_constant(seam::TensorType type, std::vector<std::byte> data) {
  seam::TensorType own = type;
  if (own.shape.size() > most_axes) own.shape = {count_of(own.shape)};
  const uint32_t node = add_node(Operation::constant, std::move(own), {});
  graph_.nodes[node].data = std::move(data);
  return add_value(std::move(type), node);
}

uint32_t FoldedGraph::add(Operation operation, seam::TensorType type,
                          const std::vector<uint32_t>& operands,
                          const seam::Attributes& attributes) {
  const bool is_small = type.shape.size() <= most_axes &&
                        std::all_of(operands.begin(), operands.end(), [&](uint32_t operand) {
                          return shape_of(operand).size() <= most_axes;
                        });
  if (is_small && operation != Operation::matrix_product) {
    std::vector<uint32_t> nodes;
    for (const uint32_t operand : operands) nodes.push_back(values_[operand].node);
    const uint32_t node = add_node(operation, type, std::move(nodes), attributes);
    return add_value(std::move(type), node);
  }
  uint32_t node = folded(operation, type, operands, attributes);
  if (type.shape.size() <= most_axes) node = reshaped(node, type.shape);
  return add_value(std::move(type), node);
}

uint32_t FoldedGraph::folded(Operation operation, const seam::TensorType& type,
                             const std::vector<uint32_t>& operands,
                             const seam::Attributes& attributes) {
  const uint32_t first = operands.front();
  const uint32_t node = values_[first].node;
  const auto axes = [&]() -> const seam::Axes& { return std::get<seam::Axes>(attributes); };
  if (operation == Operation::reshape) return node;
  if (operation == Operation::cast || is_elementwise(operation)) {
    return add_node(operation, {type.element, graph_.nodes[node].type.shape}, {node}, attributes);
  }
  if (broadcasts(operation)) return broadcasting(operation, type, operands, attributes);
  switch (operation) {
    case Operation::transpose: return transpose(first, axes());
    case Operation::concatenate: return concatenate(type, operands, axes());
    case Operation::slice: return slice(first, std::get<seam::Slice>(attributes));
    case Operation::pad: return pad(first, std::get<seam::Padding>(attributes));
    case Operation::gather: return gather(type, operands, axes());
    case Operation::softmax: return softmax(first, axes());
    case Operation::matrix_product: return matrix_product(type, operands);
    default: return reduce(operation, first, axes());
  }
}

// From extents of 1 to those of `to`, an axis at a time.
uint32_t FoldedGraph::expanded(uint32_t node, Shape from, const Shape& to) {
  for (size_t axis = to.size(); axis-- > 0;) {
    if (from[axis] == to[axis]) continue;
    Shape wanted = around(from, axis);
    node = reshaped(node, wanted);
    wanted[1] = to[axis];
    node = like(Operation::broadcast, wanted, node, {});
    from[axis] = to[axis];
  }
  return node;
}

// Axes are alike that the same operands repeat.
uint32_t FoldedGraph::broadcasting(Operation operation, const seam::TensorType& type,
                                   const std::vector<uint32_t>& operands,
                                   const seam::Attributes& attributes) {
  const Shape& shape = type.shape;
  std::vector<Shape> shapes;
  for (const uint32_t operand : operands) {
    shapes.push_back(aligned(shape_of(operand), shape.size()));
  }
  const auto groups = groups_of(shape, [&](size_t axis) {
    uint32_t repeating = 0;
    for (size_t k = 0; k < shapes.size(); ++k) {
      if (shapes[k][axis] != shape[axis]) repeating |= 1u << k;
    }
    return repeating;
  });
  const bool fits = groups.size() <= most_axes;
  const Shape result = fits ? extents_of(groups, shape) : Shape{count_of(shape)};
  std::vector<uint32_t> nodes;
  for (size_t k = 0; k < operands.size(); ++k) {
    const uint32_t node = values_[operands[k]].node;
    nodes.push_back(fits ? reshaped(node, extents_of(groups, shapes[k]))
                         : reshaped(expanded(node, shapes[k], shape), result));
  }
  if (operation == Operation::broadcast && !fits) return nodes.front();
  return add_node(operation, {type.element, result}, std::move(nodes), attributes);
}

uint32_t FoldedGraph::concatenate(const seam::TensorType& type,
                                  const std::vector<uint32_t>& operands, const seam::Axes& axes) {
  const auto axis = static_cast<size_t>(axes.axes.front());
  const auto pair = [&](const Shape& shape) {
    return Shape{product_of(shape, 0, axis), product_of(shape, axis, shape.size())};
  };
  std::vector<uint32_t> nodes;
  for (const uint32_t operand : operands) {
    nodes.push_back(reshaped(values_[operand].node, pair(shape_of(operand))));
  }
  return add_node(Operation::concatenate, {type.element, pair(type.shape)}, std::move(nodes),
                  seam::Axes{{1}});
}

// An axis at a time of those that are not taken whole.
uint32_t FoldedGraph::slice(uint32_t operand, const seam::Slice& slice) {
  Shape shape = shape_of(operand);
  uint32_t node = values_[operand].node;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t start = slice.starts[axis], end = slice.ends[axis], step = slice.steps[axis];
    if (start == 0 && end == shape[axis] && step == 1) continue;
    Shape part = around(shape, axis);
    node = reshaped(node, part);
    const int64_t span = step > 0 ? end - start : start - end;
    const int64_t size = step > 0 ? step : -step;
    const seam::Slice one{{0, start, 0}, {part[0], end, part[2]}, {1, step, 1}};
    shape[axis] = part[1] = sy::ceil_div(span, size);
    node = like(Operation::slice, part, node, one);
  }
  return node;
}

// An axis at a time: what an earlier one added is repeated by a later one as elements are.
uint32_t FoldedGraph::pad(uint32_t operand, const seam::Padding& padding) {
  Shape shape = shape_of(operand);
  uint32_t node = values_[operand].node;
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int64_t before = padding.before[axis], after = padding.after[axis];
    if (before == 0 && after == 0) continue;
    Shape part = around(shape, axis);
    node = reshaped(node, part);
    shape[axis] = part[1] = part[1] + before + after;
    node = like(Operation::pad, part, node,
                seam::Padding{{0, before, 0}, {0, after, 0}, padding.mode, padding.value});
  }
  return node;
}

uint32_t FoldedGraph::gather(const seam::TensorType& type, const std::vector<uint32_t>& operands,
                             const seam::Axes& axes) {
  const auto axis = static_cast<size_t>(axes.axes.front());
  const Shape from = around(shape_of(operands[0]), axis);
  const int64_t count = count_of(shape_of(operands[1]));
  return add_node(
      Operation::gather, {type.element, {from[0], count, from[2]}},
      {reshaped(values_[operands[0]].node, from), reshaped(values_[operands[1]].node, {count})},
      seam::Axes{{1}});
}

// Axes that follow each other are reduced together, one such group after the other.
uint32_t FoldedGraph::reduce(Operation operation, uint32_t operand, const seam::Axes& axes) {
  Shape shape = shape_of(operand);
  std::vector<bool> reduced(shape.size());
  for (const int64_t axis : axes.axes) reduced[static_cast<size_t>(axis)] = true;
  const auto groups = groups_of(shape, [&](size_t axis) { return reduced[axis] ? 1u : 0u; });
  uint32_t node = values_[operand].node;
  for (const Group& group : groups) {
    if (group.kind == 0) continue;
    Shape part = {product_of(shape, 0, group.begin), product_of(shape, group.begin, group.end),
                  product_of(shape, group.end, shape.size())};
    node = reshaped(node, part);
    part[1] = 1;
    node = like(operation, part, node, seam::Axes{{1}});
    for (size_t axis = group.begin; axis < group.end; ++axis) shape[axis] = 1;
  }
  return node;
}

uint32_t FoldedGraph::softmax(uint32_t operand, const seam::Axes& axes) {
  const Shape part = around(shape_of(operand), static_cast<size_t>(axes.axes.front()));
  return like(Operation::softmax, part, reshaped(values_[operand].node, part), seam::Axes{{1}});
}

const seam::Graph& FoldedGraph::finish(const std::vector<uint32_t>& outputs) {
  for (const uint32_t output : outputs) {
    uint32_t node = values_[output].node;
    const Operation operation = graph_.nodes[node].operation;
    if (operation == Operation::input || operation == Operation::constant) {
      node = like(Operation::reshape, graph_.nodes[node].type.shape, node, {});
    }
    graph_.outputs.push_back(node);
  }
  return graph_;
}

}  // namespace mps
