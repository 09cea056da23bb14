#include <algorithm>
#include <cstddef>
#include <utility>

#include "software/interpreter/rules.hpp"

namespace mps::software::interpreter {

namespace {

// The one axis, of x.
size_t one_axis(const Inspection& node) {
  const Shape& axes = node.attributes<seam::Axes>().axes;
  node.demand(axes.size() == 1, "it takes one axis");
  const auto rank = static_cast<int64_t>(node.operand(0).shape.size());
  node.demand(axes[0] >= 0 && axes[0] < rank, "x does not have its axis");
  return static_cast<size_t>(axes[0]);
}

int64_t sliced_extent(const Inspection& node, int64_t extent, int64_t start, int64_t end,
                      int64_t step) {
  if (step > 0) {
    node.demand(start >= 0 && start <= end && end <= extent,
                "a slice forwards is not within 0 <= start <= end <= extent");
    return end == start ? 0 : (end - start - 1) / step + 1;
  }
  node.demand(step < 0 && step != INT64_MIN, "a slice has a step of 0 or out of range");
  node.demand(end >= -1 && end < start && start < extent,
              "a slice backwards is not within -1 <= end < start < extent");
  return (start - end - 1) / -step + 1;
}

}  // namespace

void check_reshape(const Inspection& node) {
  node.demand_type(node.operand(0).element, node.type().shape);
  node.demand(count_of(node.operand(0).shape) == count_of(node.type().shape),
              "x has another number of elements");
}

void check_broadcast(const Inspection& node) {
  node.demand_type(node.operand(0).element, node.type().shape);
  node.demand(broadcast_shape(node.operand(0).shape, node.type().shape) == node.type().shape,
              "x does not broadcast to its shape");
}

void check_transpose(const Inspection& node) {
  const Shape& x = node.operand(0).shape;
  const Shape& axes = node.attributes<seam::Axes>().axes;
  Shape sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = sorted.size() == x.size();
  for (size_t i = 0; i < sorted.size() && each_once; ++i) {
    each_once = sorted[i] == static_cast<int64_t>(i);
  }
  node.demand(each_once, "its axes are not each axis of x once");
  Shape shape;
  for (const int64_t axis : axes) shape.push_back(x[static_cast<size_t>(axis)]);
  node.demand_type(node.operand(0).element, shape);
}

void check_concatenate(const Inspection& node) {
  node.demand_same_elements();
  const size_t axis = one_axis(node);
  Shape shape = node.operand(0).shape;
  for (size_t i = 1; i < node.operand_count(); ++i) {
    Shape other = node.operand(i).shape;
    node.demand(other.size() == shape.size(), "its operands have different ranks");
    const int64_t extent = std::exchange(other[axis], shape[axis]);
    node.demand(other == shape, "its operands differ on another axis than the one they join on");
    shape[axis] += extent;
  }
  node.demand_type(node.operand(0).element, shape);
}

void check_slice(const Inspection& node) {
  const Shape& x = node.operand(0).shape;
  const auto& slice = node.attributes<seam::Slice>();
  node.demand(slice.starts.size() == x.size() && slice.ends.size() == x.size() &&
                  slice.steps.size() == x.size(),
              "a slice needs a start, an end and a step for each axis of x");
  Shape shape;
  for (size_t i = 0; i < x.size(); ++i) {
    shape.push_back(sliced_extent(node, x[i], slice.starts[i], slice.ends[i], slice.steps[i]));
  }
  node.demand_type(node.operand(0).element, shape);
}

void check_gather(const Inspection& node) {
  const size_t axis = one_axis(node);
  const seam::TensorType& indices = node.operand(1);
  node.support(indices.element == seam::ElementType::int32, "its indices are not int32");
  Shape shape = node.operand(0).shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), indices.shape.begin(),
               indices.shape.end());
  node.demand_type(node.operand(0).element, shape);
}

void check_softmax(const Inspection& node) {
  one_axis(node);
  node.demand_type(node.operand(0).element, node.operand(0).shape);
}

void check_reduction(const Inspection& node) {
  Shape shape = node.operand(0).shape;
  Shape axes = node.attributes<seam::Axes>().axes;
  node.demand(!axes.empty(), "it has no axis to reduce");
  std::sort(axes.begin(), axes.end());
  node.demand(std::adjacent_find(axes.begin(), axes.end()) == axes.end(), "it has an axis twice");
  node.demand(axes.front() >= 0 && axes.back() < static_cast<int64_t>(shape.size()),
              "x does not have its axes");
  for (const int64_t axis : axes) shape[static_cast<size_t>(axis)] = 1;
  node.demand_type(node.operand(0).element, shape);
}

}  // namespace mps::software::interpreter
