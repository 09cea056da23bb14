#include "ops/shapes/movement/slice.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// The elements of one axis that Slice takes.
struct Cut {
  std::int64_t start = 0;
  std::int64_t step = 1;
  std::int64_t extent = kUnknown;
};

/// ONNX clamps both ends into the axis, whose extent is known.
Cut clamped(std::int64_t extent, std::int64_t start, std::int64_t end, std::int64_t step) {
  if (extent == 0) return {0, step, 0};
  step = std::clamp(step, -extent, extent);  // a longer step takes no more, but might overflow
  if (start < 0) start += extent;
  if (end < 0) end += extent;
  if (step > 0) {
    start = std::clamp<std::int64_t>(start, 0, extent);
    end = std::clamp<std::int64_t>(end, 0, extent);
    return {start, step, ceil_div(std::max<std::int64_t>(0, end - start), step)};
  }
  start = std::clamp<std::int64_t>(start, 0, extent - 1);
  end = std::clamp<std::int64_t>(end, -1, extent - 1);
  return {start, step, ceil_div(std::max<std::int64_t>(0, start - end), -step)};
}

/// The axes that are cut, [0, 1, ...] by default; nothing if they cannot be known yet.
std::optional<std::vector<std::int64_t>> cut_axes(const Inference& node) {
  if (node.has(3)) {
    auto axes = node.ints(3);
    if (!axes) return std::nullopt;
    return normalized_axes(node, std::move(*axes), node.rank(0));
  }
  const std::int64_t count = length_of(node, 1);
  if (count == kUnknown) return std::nullopt;
  if (count > node.rank(0)) {
    node.mismatch(fmt::format("{} starts for the shape {}", count, describe(node.shape(0))));
  }
  return every_axis(count);
}

void check_lengths(const Inference& node, std::size_t axes) {
  for (std::size_t input : {1u, 2u, 4u}) {
    if (!node.has(input)) continue;
    const std::int64_t length = length_of(node, input);
    if (length == kUnknown || length == static_cast<std::int64_t>(axes)) continue;
    node.fail(
        fmt::format("starts, ends, axes and steps must be of one length: input {} has {}, not {}",
                    input, length, axes));
  }
}

/// One cut an axis; nothing if it is not even known which axes are cut. The input's rank is known.
std::optional<std::vector<Cut>> cuts(const Inference& node) {
  const Dims& shape = node.shape(0);
  const auto axes = cut_axes(node);
  if (!axes) return std::nullopt;
  check_lengths(node, axes->size());
  std::vector<Cut> result;
  for (std::int64_t extent : shape) result.push_back({0, 1, extent});
  const auto starts = node.ints(1);
  const auto ends = node.ints(2);
  const auto steps = node.has(4) ? node.ints(4) : std::vector<std::int64_t>(axes->size(), 1);
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const auto axis = static_cast<std::size_t>((*axes)[i]);
    if (steps && (*steps)[i] == 0) node.fail(fmt::format("the step of axis {} is 0", axis));
    const bool known = starts && ends && steps && shape[axis] != kUnknown;
    result[axis] = known ? clamped(shape[axis], (*starts)[i], (*ends)[i], (*steps)[i]) : Cut{};
  }
  return result;
}

/// How much of the axis each output of Split takes; kUnknown for what is not known yet.
std::vector<std::int64_t> split_extents(const Inference& node, std::int64_t extent) {
  const std::size_t count = node.output_count();
  if (node.has(1)) {
    return node.ints(1).value_or(std::vector<std::int64_t>(count, kUnknown));
  }
  if (extent == kUnknown) return std::vector<std::int64_t>(count, kUnknown);
  const auto parts = static_cast<std::int64_t>(count);
  const std::int64_t part = ceil_div(extent, parts);
  const std::int64_t last = extent - part * (parts - 1);
  if (last < 0) {
    node.mismatch(
        fmt::format("an axis of extent {} cannot be split into {} parts of {}, of which only the "
                    "last may be smaller",
                    extent, parts, part));
  }
  std::vector<std::int64_t> extents(count, part);
  extents.back() = last;
  return extents;
}

void check_split(const Inference& node, const std::vector<std::int64_t>& extents,
                 std::int64_t extent) {
  if (extents.size() != node.output_count()) {
    node.fail(fmt::format("split {} is for {} outputs, but the node has {}", extents,
                          extents.size(), node.output_count()));
  }
  const bool known = std::find(extents.begin(), extents.end(), kUnknown) == extents.end();
  if (!known && node.ints(1)) node.fail(fmt::format("split {} has a negative length", extents));
  if (!known) return;
  const bool negative = *std::min_element(extents.begin(), extents.end()) < 0;
  const std::int64_t total =
      negative ? 0 : std::accumulate(extents.begin(), extents.end(), std::int64_t{0}, add_extents);
  if (negative || (extent != kUnknown && total != extent)) {
    node.mismatch(fmt::format("an axis of extent {} cannot be split into {}", extent, extents));
  }
}

/// The axis of Split, after a check of what does not depend on the rank.
std::size_t split_axis(const Inference& node) {
  const bool has_count = node.attributes().has("num_outputs");
  if (node.has(1) && has_count) node.fail("takes either split or num_outputs, not both");
  const auto count = static_cast<std::int64_t>(node.output_count());
  if (has_count && node.attributes().get_int("num_outputs", count) != count) {
    node.fail(fmt::format("num_outputs is {}, but the node has {} outputs",
                          node.attributes().get_int("num_outputs", count), count));
  }
  const std::int64_t axis = node.attributes().get_int("axis", 0);
  return static_cast<std::size_t>(node.normalize_axis(axis, node.rank(0)));
}

}  // namespace

void slice_shape(Inference& node) {
  require_list(node, 1, "starts");
  require_list(node, 2, "ends");
  require_list(node, 3, "axes");
  require_list(node, 4, "steps");
  if (!node.has_rank(0)) return;
  Dims shape = Dims::filled(node.shape(0).size(), kUnknown);
  if (const auto taken = cuts(node)) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) shape[axis] = (*taken)[axis].extent;
  }
  node.set_shape(0, std::move(shape));
}

std::optional<std::vector<ViewSpec>> slice_view(const Inference& node, const Dims& strides) {
  const std::vector<Cut> taken = cuts(node).value();
  ViewSpec view{node.shape(0), strides};
  for (std::size_t axis = 0; axis < taken.size(); ++axis) {
    view.shape[axis] = taken[axis].extent;
    view.strides[axis] = strides[axis] * taken[axis].step;
    view.offset += strides[axis] * taken[axis].start;
  }
  if (element_count(view.shape) == 0) view.offset = 0;  // a start may lie at the very end
  return std::vector<ViewSpec>{std::move(view)};
}

void split_shape(Inference& node) {
  require_list(node, 1, "split");
  if (!node.has_rank(0)) return;
  const std::size_t axis = split_axis(node);
  const std::vector<std::int64_t> extents = split_extents(node, node.shape(0)[axis]);
  check_split(node, extents, node.shape(0)[axis]);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    Dims shape = node.shape(0);
    shape[axis] = extents[i];
    node.set_shape(i, std::move(shape));
  }
}

std::optional<std::vector<ViewSpec>> split_view(const Inference& node, const Dims& strides) {
  const std::size_t axis = split_axis(node);
  std::vector<ViewSpec> views;
  std::int64_t start = 0;
  for (std::int64_t extent : split_extents(node, node.shape(0)[axis])) {
    ViewSpec view{node.shape(0), strides};
    view.shape[axis] = extent;
    if (element_count(view.shape) > 0) view.offset = start * strides[axis];
    start += extent;
    views.push_back(std::move(view));
  }
  return views;
}

}  // namespace switchyard
