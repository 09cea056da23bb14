#include "ops/shapes/movement/indexing.hpp"

#include <fmt/format.h>

#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

std::size_t axis_of(const Inference& node) {
  const std::int64_t axis = node.attributes().get_int("axis", 0);
  return static_cast<std::size_t>(node.normalize_axis(axis, node.rank(0)));
}

/// Where there is nothing to choose from, no index is right.
void check_addressed(const Inference& node, std::int64_t extent, std::int64_t indices) {
  if (extent != 0 || indices <= 0) return;
  node.fail(fmt::format("{} indices address data {}, which is empty there", indices,
                        describe(node.shape(0))));
}

/// Elements are addressed one by one, along one axis by an index and along all others by the
/// position of the index: indices need the data's rank, and on the other axes may not reach beyond
/// it.
void check_element_indices(const Inference& node) {
  require_rank_of_at_least(node, 0, 1);
  require_rank_of_at_least(node, 1, 1);
  if (!node.has_rank(0)) return;
  const std::size_t indexed = axis_of(node);
  if (!node.has_rank(1)) return;
  const Dims& data = node.shape(0);
  const Dims& indices = node.shape(1);
  if (data.size() != indices.size()) {
    node.mismatch(fmt::format("data {} and indices {} must be of one rank", describe(data),
                              describe(indices)));
  }
  check_addressed(node, data[indexed], product(indices.span()));
  for (std::size_t axis = 0; axis < data.size(); ++axis) {
    if (axis == indexed || data[axis] == kUnknown || indices[axis] <= data[axis]) continue;
    node.mismatch(fmt::format("indices {} reach beyond data {} on axis {}, which is not indexed",
                              describe(indices), describe(data), axis));
  }
}

std::size_t batch_axes(const Inference& node) {
  const std::int64_t count = node.attributes().get_int("batch_dims", 0);
  if (count < 0) node.fail(fmt::format("batch_dims is {}", count));
  for (std::size_t input : {0u, 1u}) {
    if (!node.has_rank(input) || count < node.rank(input)) continue;
    node.mismatch(fmt::format("batch_dims is {}, but input {} has shape {}", count, input,
                              describe(node.shape(input))));
  }
  const auto batch = static_cast<std::size_t>(count);
  for (std::size_t axis = 0; axis < batch && node.has_rank(0) && node.has_rank(1); ++axis) {
    agreed(node, node.shape(0)[axis], node.shape(1)[axis], "the batches of data and indices");
  }
  return batch;
}

/// How many leading axes of the data, after the batch axes, an index of GatherND or ScatterND
/// addresses; kUnknown if that is not known yet.
std::int64_t addressed_axes(const Inference& node, std::size_t batch) {
  require_rank_of_at_least(node, 0, 1);
  require_rank_of_at_least(node, 1, 1);
  if (!node.has_rank(0) || !node.has_rank(1)) return kUnknown;
  const std::int64_t count = node.shape(1).back();
  if (count == kUnknown || count + static_cast<std::int64_t>(batch) <= node.rank(0)) return count;
  node.mismatch(fmt::format("indices {} address {} axes after {} batch axes, but data has shape {}",
                            describe(node.shape(1)), count, batch, describe(node.shape(0))));
}

/// `lead` followed by the axes of the data from `from` on.
Dims continued(std::span<const std::int64_t> lead, const Dims& data, std::size_t from) {
  Dims shape(lead);
  for (std::int64_t extent : data.span().subspan(from)) shape.push_back(extent);
  return shape;
}

}  // namespace

void gather_shape(Inference& node) {
  if (!node.has_rank(0)) return;
  const std::size_t axis = axis_of(node);
  if (!node.has_rank(1)) return;
  Dims shape(node.shape(0).span().first(axis));
  for (std::int64_t extent : node.shape(1)) shape.push_back(extent);
  node.set_shape(0, continued(shape.span(), node.shape(0), axis + 1));
}

void gather_elements_shape(Inference& node) {
  check_element_indices(node);
  if (node.has_rank(1)) node.set_shape(0, node.shape(1));
}

void gather_nd_shape(Inference& node) {
  const std::size_t batch = batch_axes(node);
  const std::int64_t addressed = addressed_axes(node, batch);
  if (addressed == kUnknown) return;
  const auto lead = node.shape(1).span().first(node.shape(1).size() - 1);
  node.set_shape(0, continued(lead, node.shape(0), batch + static_cast<std::size_t>(addressed)));
}

void scatter_elements_shape(Inference& node) {
  check_element_indices(node);
  if (node.has_rank(1) && node.has_rank(2)) {
    merged(node, node.shape(1), node.shape(2), "indices and updates must be of one shape");
  }
  shape_of_first_input(node);
}

void scatter_nd_shape(Inference& node) {
  const std::int64_t addressed = addressed_axes(node, 0);
  if (addressed != kUnknown && node.has_rank(2)) {
    const auto lead = node.shape(1).span().first(node.shape(1).size() - 1);
    const auto first = static_cast<std::size_t>(addressed);
    check_addressed(node, product(node.shape(0).span().first(first)), product(lead));
    const Dims wanted = continued(lead, node.shape(0), first);
    merged(node, wanted, node.shape(2), "updates must have the shape that the indices ask for");
  }
  shape_of_first_input(node);
}

}  // namespace switchyard
