#include "ops/shapes/movement/selection.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

std::int64_t smaller(std::int64_t a, std::int64_t b) {
  if (a == kUnknown) return b;
  return b == kUnknown ? a : std::min(a, b);
}

/// As many conditions as there are positions; fewer leave the last positions out.
std::int64_t condition_count(const Inference& node, std::int64_t positions) {
  const std::int64_t count = length_of(node, 1);
  if (positions != kUnknown && count > positions) {
    node.mismatch(
        fmt::format("the condition holds {} elements for {} positions; it may hold fewer, but "
                    "no more",
                    count, positions));
  }
  return smaller(positions, count);
}

/// The axis that an attribute names, if it is there. The input's rank is known.
std::optional<std::size_t> optional_axis(const Inference& node) {
  if (!node.attributes().has("axis")) return std::nullopt;
  const std::int64_t axis = node.attributes().get_int("axis", 0);
  return static_cast<std::size_t>(node.normalize_axis(axis, node.rank(0)));
}

std::optional<std::int64_t> wanted_count(const Inference& node) {
  require_one_element(node, 1, "K");
  const auto values = node.ints(1);
  if (!values) return std::nullopt;
  if (values->front() < 0) node.fail(fmt::format("K is {}", values->front()));
  return values->front();
}

/// The most boxes that one class of one batch may select: 0 unless the model asks for some.
std::int64_t most_boxes(const Inference& node, std::int64_t boxes) {
  if (!node.has(2)) return 0;
  const auto limit = node.ints(2);
  if (!limit) return boxes;
  // Exporters ask for as many as there are by the greatest number of all, which bounds nothing.
  const std::int64_t most = std::max<std::int64_t>(0, limit->front());
  return boxes == kUnknown && most > 0 ? kUnknown : std::min(boxes, most);
}

}  // namespace

void compress_shape(Inference& node) {
  require_rank(node, 1, {1}, "a list of conditions");
  if (!node.has_rank(0)) {
    if (!node.attributes().has("axis")) node.set_bound(0, {length_of(node, 1)});
    return;
  }
  if (const auto axis = optional_axis(node)) {
    Dims shape = node.shape(0);
    shape[*axis] = condition_count(node, shape[*axis]);
    node.set_bound(0, std::move(shape));
  } else {
    node.set_bound(0, {condition_count(node, product(node.shape(0).span()))});
  }
}

void unique_shape(Inference& node) {
  if (!node.has_rank(0)) {
    for (std::size_t output : {1u, 3u}) node.set_bound(output, {kUnknown});
    node.set_shape(2, {kUnknown});
    return;
  }
  const auto axis = optional_axis(node);
  const std::int64_t most = axis ? node.shape(0)[*axis] : product(node.shape(0).span());
  node.set_bound(0, axis ? node.shape(0) : Dims{most});
  node.set_bound(1, {most});
  node.set_shape(2, {most});
  node.set_bound(3, {most});
}

void non_zero_shape(Inference& node) {
  if (node.has_rank(0))
    node.set_bound(0, {node.rank(0), product(node.shape(0).span())});
  else
    node.set_bound(0, {kUnknown, kUnknown});
}

void top_k_shape(Inference& node) {
  const auto count = wanted_count(node);
  if (!node.has_rank(0)) return;
  Dims shape = node.shape(0);
  const auto axis = static_cast<std::size_t>(
      node.normalize_axis(node.attributes().get_int("axis", -1), node.rank(0)));
  if (count && shape[axis] != kUnknown && *count > shape[axis]) {
    node.mismatch(fmt::format("K is {}, but axis {} of {} has only {} elements", *count, axis,
                              describe(shape), shape[axis]));
  }
  shape[axis] = count.value_or(kUnknown);
  node.set_shape(0, shape);
  node.set_shape(1, std::move(shape));
}

void non_max_suppression_shape(Inference& node) {
  require_rank(node, 0, {3}, "[batches, boxes, 4]");
  require_rank(node, 1, {3}, "[batches, classes, boxes]");
  require_one_element(node, 2, "max_output_boxes_per_class");
  require_one_element(node, 3, "iou_threshold");
  require_one_element(node, 4, "score_threshold");
  Dims boxes = node.has_rank(0) ? node.shape(0) : Dims{kUnknown, kUnknown, 4};
  const Dims scores = node.has_rank(1) ? node.shape(1) : Dims{kUnknown, kUnknown, kUnknown};
  agreed(node, boxes[2], 4, "the last extent of boxes and the number of a box's coordinates");
  const std::int64_t batches = agreed(node, boxes[0], scores[0], "the batches of boxes and scores");
  const std::int64_t count = agreed(node, boxes[1], scores[2], "the boxes of boxes and scores");
  const std::int64_t most = most_boxes(node, count);
  node.set_bound(0, {multiply_extents(multiply_extents(batches, scores[1]), most), 3});
}

}  // namespace switchyard
