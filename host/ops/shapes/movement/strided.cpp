#include "ops/shapes/movement/strided.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// Transpose's `perm`, by default the axes in reverse.
std::vector<std::int64_t> permutation(const Inference& node) {
  const std::int64_t rank = node.rank(0);
  std::vector<std::int64_t> axes = node.attributes().get_ints("perm");
  if (!node.attributes().has("perm")) {
    for (std::int64_t axis = rank; axis-- > 0;) axes.push_back(axis);
    return axes;
  }
  std::vector<std::int64_t> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (std::int64_t axis = 0; axis < std::max<std::int64_t>(rank, std::ssize(axes)); ++axis) {
    if (std::ssize(axes) != rank || sorted[static_cast<std::size_t>(axis)] != axis) {
      node.mismatch(
          fmt::format("perm {} must hold each axis of {} once", axes, describe(node.shape(0))));
    }
  }
  return axes;
}

Dims permuted(const Dims& dims, const std::vector<std::int64_t>& axes) {
  Dims result;
  for (std::int64_t axis : axes) result.push_back(dims[static_cast<std::size_t>(axis)]);
  return result;
}

std::int64_t expanded_extent(const Inference& node, std::int64_t have, std::int64_t wanted) {
  if (wanted == 1) return have;
  if (have == 1) return wanted;
  if (wanted == kUnknown) return have;  // neither is known, or `have` is more than 1 and stays
  if (have == kUnknown || have == wanted) return wanted;
  node.mismatch(fmt::format("{} does not broadcast: extent {} meets {}", describe(node.shape(0)),
                            have, wanted));
}

/// The input's shape broadcast with `target`, both aligned at the last axis.
Dims expanded(const Inference& node, const Dims& target) {
  const Dims& shape = node.shape(0);
  const std::size_t rank = std::max(shape.size(), target.size());
  Dims result = Dims::filled(rank, 1);
  for (std::size_t back = 1; back <= rank; ++back) {
    const std::int64_t have = back <= shape.size() ? shape[shape.size() - back] : 1;
    const std::int64_t wanted = back <= target.size() ? target[target.size() - back] : 1;
    result[rank - back] = expanded_extent(node, have, wanted);
  }
  return result;
}

}  // namespace

void transpose_shape(Inference& node) {
  if (node.has_rank(0)) {
    node.set_shape(0, permuted(node.shape(0), permutation(node)));
  } else if (node.attributes().has("perm")) {
    node.set_shape(0, Dims::filled(node.attributes().get_ints("perm").size(), kUnknown));
  }
}

void expand_shape(Inference& node) {
  require_list(node, 1, "shape");
  if (!node.has_rank(0)) return;
  if (const auto target = node.ints(1)) {
    node.set_shape(0, expanded(node, named_shape(node, "shape", *target)));
    return;
  }
  if (const auto shape = shape_of_rank(length_of(node, 1))) {
    node.set_shape(0, expanded(node, *shape));
  }
}

std::optional<std::vector<ViewSpec>> identity_view(const Inference& node, const Dims& strides) {
  return std::vector<ViewSpec>{{node.shape(0), strides}};
}

std::optional<std::vector<ViewSpec>> transpose_view(const Inference& node, const Dims& strides) {
  const std::vector<std::int64_t> axes = permutation(node);
  return std::vector<ViewSpec>{{permuted(node.shape(0), axes), permuted(strides, axes)}};
}

std::optional<std::vector<ViewSpec>> expand_view(const Inference& node, const Dims& strides) {
  const Dims& shape = node.shape(0);
  const Dims result = expanded(node, named_shape(node, "shape", node.ints(1).value()));
  Dims repeated = Dims::filled(result.size(), 0);
  for (std::size_t back = 1; back <= shape.size(); ++back) {
    const std::size_t from = shape.size() - back;
    const std::size_t to = result.size() - back;
    if (shape[from] == result[to]) repeated[to] = strides[from];
  }
  return std::vector<ViewSpec>{{result, repeated}};
}

}  // namespace switchyard
