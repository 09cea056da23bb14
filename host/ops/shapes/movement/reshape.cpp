#include "ops/shapes/movement/reshape.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "ops/shapes/movement/restride.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

constexpr std::int64_t kInferred = -1;  // in Reshape's `shape`: whatever is left

using Axes = std::vector<std::int64_t>;

bool names(const Axes& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), static_cast<std::int64_t>(axis)) != axes.end();
}

void check_target(const Inference& node, const Axes& target, bool zero_is_zero) {
  const auto inferred = std::count(target.begin(), target.end(), kInferred);
  const bool has_zero = std::count(target.begin(), target.end(), 0) > 0;
  if (inferred > 1) node.fail(fmt::format("shape {} has more than one -1", target));
  if (inferred == 1 && has_zero && zero_is_zero) {
    node.fail(fmt::format("shape {} has both 0 and -1, which allowzero=1 forbids", target));
  }
  const auto smallest = std::min_element(target.begin(), target.end());
  if (smallest != target.end() && *smallest < kInferred) {
    node.fail(fmt::format("shape {} has the extent {}", target, *smallest));
  }
}

/// The extent a 0 of Reshape's `shape` copies.
std::int64_t copied_extent(const Inference& node, std::size_t axis) {
  if (!node.has_rank(0)) return kUnknown;
  if (axis < node.shape(0).size()) return node.shape(0)[axis];
  node.mismatch(fmt::format("shape has a 0 at {}, but the input {} has no such axis", axis,
                            describe(node.shape(0))));
}

/// What a -1 stands for. Copied axes are left out of both products, so that one of unknown extent,
/// or of none, does no harm.
std::int64_t inferred_extent(const Inference& node, const Axes& target, const Axes& copied) {
  if (!node.has_rank(0)) return kUnknown;
  std::int64_t wanted = 1;
  for (std::int64_t extent : target) {
    if (extent > 0) wanted = multiply_extents(wanted, extent);
  }
  Dims rest;
  for (std::size_t axis = 0; axis < node.shape(0).size(); ++axis) {
    if (!names(copied, axis)) rest.push_back(node.shape(0)[axis]);
  }
  const std::int64_t have = product(rest.span());
  if (have == kUnknown) return kUnknown;
  if (have % wanted != 0) {
    node.mismatch(fmt::format("cannot bring {} into shape {}: {} elements do not divide by {}",
                              describe(node.shape(0)), target, have, wanted));
  }
  return have / wanted;
}

Dims reshaped(const Inference& node, const Axes& target) {
  const bool zero_is_zero = node.attributes().get_int("allowzero", 0) != 0;
  check_target(node, target, zero_is_zero);
  Dims shape{std::span<const std::int64_t>(target)};
  Axes copied;
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis] != 0 || zero_is_zero) continue;
    shape[axis] = copied_extent(node, axis);
    copied.push_back(static_cast<std::int64_t>(axis));
  }
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis] == kInferred) shape[axis] = inferred_extent(node, target, copied);
  }
  if (node.has_rank(0) && all_known(shape) && all_known(node.shape(0)) &&
      product(shape.span()) != product(node.shape(0).span())) {
    node.mismatch(fmt::format("cannot bring {} into shape {}: the element counts differ",
                              describe(node.shape(0)), target));
  }
  return shape;
}

Dims flattened(const Inference& node) {
  const Dims& shape = node.shape(0);
  std::int64_t axis = node.attributes().get_int("axis", 1);
  if (axis < -node.rank(0) || axis > node.rank(0)) {
    node.fail(fmt::format("axis {} lies outside [{}, {}] for shape {}", axis, -node.rank(0),
                          node.rank(0), describe(shape)));
  }
  if (axis < 0) axis += node.rank(0);
  const auto outer = static_cast<std::size_t>(axis);
  return {product(shape.span().first(outer)), product(shape.span().subspan(outer))};
}

/// The axes that Squeeze drops, in no order; nothing if that cannot be known yet. The rank is
/// known.
std::optional<Axes> squeezed_axes(const Inference& node) {
  const Dims& shape = node.shape(0);
  if (node.has(1)) {
    std::optional<Axes> axes = node.ints(1);
    if (!axes) return std::nullopt;
    return normalized_axes(node, std::move(*axes), node.rank(0));
  }
  if (!all_known(shape)) return std::nullopt;
  Axes ones;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) ones.push_back(static_cast<std::int64_t>(axis));
  }
  return ones;
}

Dims without(const Dims& dims, const Axes& axes) {
  Dims rest;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    if (!names(axes, axis)) rest.push_back(dims[axis]);
  }
  return rest;
}

/// `dims` spread over the axes that are not in `axes`, which get `value`.
Dims with(const Dims& dims, const Axes& axes, std::int64_t value) {
  Dims result = Dims::filled(dims.size() + axes.size(), value);
  std::size_t next = 0;
  for (std::size_t axis = 0; axis < result.size(); ++axis) {
    if (!names(axes, axis)) result[axis] = dims[next++];
  }
  return result;
}

Axes unsqueezed_axes(const Inference& node, Axes axes) {
  const std::int64_t rank = node.rank(0) + static_cast<std::int64_t>(axes.size());
  return normalized_axes(node, std::move(axes), rank);
}

std::optional<std::vector<ViewSpec>> same_elements_view(const Inference& node, const Dims& strides,
                                                        const Dims& shape) {
  const std::optional<Dims> restrided = restride(node.shape(0), strides, shape);
  if (!restrided) return std::nullopt;
  return std::vector<ViewSpec>{{shape, *restrided}};
}

}  // namespace

void reshape_shape(Inference& node) {
  require_list(node, 1, "shape");
  if (const auto target = node.ints(1)) {
    node.set_shape(0, reshaped(node, *target));
    return;
  }
  if (const auto shape = shape_of_rank(length_of(node, 1))) node.set_shape(0, *shape);
}

void flatten_shape(Inference& node) {
  node.set_shape(0, node.has_rank(0) ? flattened(node) : Dims{kUnknown, kUnknown});
}

void squeeze_shape(Inference& node) {
  require_list(node, 1, "axes");
  if (!node.has_rank(0)) return;
  const Dims& shape = node.shape(0);
  if (const auto axes = squeezed_axes(node)) {
    for (std::int64_t axis : *axes) {
      const std::int64_t extent = shape[static_cast<std::size_t>(axis)];
      if (extent == 1 || extent == kUnknown) continue;
      node.mismatch(fmt::format("axis {} of {} has extent {}; only axes of extent 1 can be dropped",
                                axis, describe(shape), extent));
    }
    node.set_shape(0, without(shape, *axes));
    return;
  }
  const std::int64_t dropped = node.has(1) ? length_of(node, 1) : kUnknown;
  if (dropped == kUnknown) return;
  if (dropped > node.rank(0)) {
    node.mismatch(fmt::format("{} axes cannot be dropped from {}", dropped, describe(shape)));
  }
  node.set_shape(0, Dims::filled(shape.size() - static_cast<std::size_t>(dropped), kUnknown));
}

void unsqueeze_shape(Inference& node) {
  require_list(node, 1, "axes");
  if (!node.has_rank(0)) return;
  if (auto axes = node.ints(1)) {
    node.set_shape(0, with(node.shape(0), unsqueezed_axes(node, std::move(*axes)), 1));
    return;
  }
  if (const auto added = shape_of_rank(length_of(node, 1))) {
    node.set_shape(0, Dims::filled(node.shape(0).size() + added->size(), kUnknown));
  }
}

std::optional<std::vector<ViewSpec>> reshape_view(const Inference& node, const Dims& strides) {
  return same_elements_view(node, strides, reshaped(node, node.ints(1).value()));
}

std::optional<std::vector<ViewSpec>> flatten_view(const Inference& node, const Dims& strides) {
  return same_elements_view(node, strides, flattened(node));
}

std::optional<std::vector<ViewSpec>> squeeze_view(const Inference& node, const Dims& strides) {
  const Axes axes = squeezed_axes(node).value();
  return std::vector<ViewSpec>{{without(node.shape(0), axes), without(strides, axes)}};
}

std::optional<std::vector<ViewSpec>> unsqueeze_view(const Inference& node, const Dims& strides) {
  const Axes axes = unsqueezed_axes(node, node.ints(1).value());
  return std::vector<ViewSpec>{{with(node.shape(0), axes, 1), with(strides, axes, 1)}};
}

}  // namespace switchyard
