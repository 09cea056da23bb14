#include "ops/shapes/lines/reduction.hpp"

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// Where the axes themselves are not known, at most their number is.
void reduce_unknown_axes(Inference& inference, bool keep) {
  const std::int64_t rank = inference.rank(0);
  if (keep) {
    inference.set_shape(0, Dims::filled(static_cast<std::size_t>(rank), kUnknown));
    return;
  }
  const std::int64_t count = length_of(inference, 1);
  if (count == kUnknown || count == 0) return;
  if (count > rank) {
    inference.mismatch(
        fmt::format("{} axes are too many for input {}", count, describe(inference.shape(0))));
  }
  inference.set_shape(0, Dims::filled(static_cast<std::size_t>(rank - count), kUnknown));
}

Dims reduced(const Dims& shape, const std::vector<std::int64_t>& axes, bool keep) {
  std::vector<bool> gone(shape.size(), false);
  for (std::int64_t axis : axes) gone[static_cast<std::size_t>(axis)] = true;
  Dims result;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (!gone[i]) result.push_back(shape[i]);
    if (gone[i] && keep) result.push_back(1);
  }
  return result;
}

}  // namespace

void reduce_shape(Inference& inference) {
  require_list(inference, 1, "axes");
  const bool keep = inference.attributes().get_int("keepdims", 1) != 0;
  std::optional<std::vector<std::int64_t>> axes = std::vector<std::int64_t>{};
  if (inference.has(1)) axes = inference.ints(1);
  const bool all = axes && axes->empty();
  const bool none = all && inference.attributes().get_int("noop_with_empty_axes", 0) != 0;
  if (!inference.has_rank(0)) {
    if (all && !none && !keep) inference.set_shape(0, Dims{});
    return;
  }
  if (none) return shape_of_first_input(inference);
  if (!axes) return reduce_unknown_axes(inference, keep);
  const std::int64_t rank = inference.rank(0);
  inference.set_shape(
      0, reduced(inference.shape(0),
                 all ? every_axis(rank) : normalized_axes(inference, *axes, rank), keep));
}

void arg_reduce_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const std::int64_t rank = inference.rank(0);
  // A scalar has one position, whichever axis is named.
  if (rank == 0) return inference.set_shape(0, Dims{});
  const std::int64_t axis =
      inference.normalize_axis(inference.attributes().get_int("axis", 0), rank);
  const Dims& shape = inference.shape(0);
  if (shape[static_cast<std::size_t>(axis)] == 0) {
    inference.mismatch(
        fmt::format("input {} has no element along axis {}, so none is the greatest or least",
                    describe(shape), axis));
  }
  inference.set_shape(0,
                      reduced(shape, {axis}, inference.attributes().get_int("keepdims", 1) != 0));
}

void along_axis_shape(Inference& inference) {
  if (!inference.has_rank(0)) return;
  const std::int64_t rank = inference.rank(0);
  if (rank > 0) inference.normalize_axis(inference.attributes().get_int("axis", -1), rank);
  shape_of_first_input(inference);
}

void cum_sum_shape(Inference& inference) {
  require_one_element(inference, 1, "axis");
  const auto axis = inference.ints(1);
  if (axis && inference.has_rank(0)) inference.normalize_axis(axis->front(), inference.rank(0));
  shape_of_first_input(inference);
}

}  // namespace switchyard
