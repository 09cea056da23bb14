// Products of matrices in at most four axes, two of them of the batch.
#include <algorithm>

#include "ops/building/axis_groups.hpp"
#include "ops/building/folded_graph.hpp"

namespace mps {
namespace {

using namespace axis_groups;

Shape stacked(Shape batch, int64_t rows, int64_t columns) {
  batch.push_back(rows);
  batch.push_back(columns);
  return batch;
}

}  // namespace

// One matrix on the right multiplies the rows of the whole batch at once: for a batch of products
// MPSGraph would be given a copy of the matrix for each.
uint32_t FoldedGraph::matrix_product(const seam::TensorType& type,
                                     const std::vector<uint32_t>& operands) {
  const size_t rank = type.shape.size() - 2;
  const Shape batch(type.shape.begin(), type.shape.end() - 2);
  const auto batch_of = [&](const Shape& shape) {
    return aligned(Shape(shape.begin(), shape.end() - 2), rank);
  };
  const Shape left = batch_of(shape_of(operands[0])), right = batch_of(shape_of(operands[1]));
  const int64_t rows = type.shape[rank], columns = type.shape[rank + 1];
  const int64_t depth = shape_of(operands[0]).back();
  uint32_t x = values_[operands[0]].node, y = values_[operands[1]].node;
  const auto product = [&](const Shape& of_x, const Shape& of_y, const Shape& of_result) {
    return add_node(seam::Operation::matrix_product, {type.element, of_result},
                    {reshaped(x, of_x), reshaped(y, of_y)});
  };
  const int64_t all_rows = count_of(batch) * rows;
  if (left == batch && count_of(right) == 1 && all_rows <= std::max(widest_product_, rows)) {
    return product({all_rows, depth}, {depth, columns}, {all_rows, columns});
  }
  const auto groups = groups_of(batch, [&](size_t axis) {
    return (left[axis] != batch[axis] ? 1u : 0u) + (right[axis] != batch[axis] ? 2u : 0u);
  });
  if (groups.size() + 2 <= most_axes) {
    return product(stacked(extents_of(groups, left), rows, depth),
                   stacked(extents_of(groups, right), depth, columns),
                   stacked(extents_of(groups, batch), rows, columns));
  }
  x = expanded(x, stacked(left, rows, depth), stacked(batch, rows, depth));
  y = expanded(y, stacked(right, depth, columns), stacked(batch, depth, columns));
  const Shape all = {count_of(batch)};
  return product(stacked(all, rows, depth), stacked(all, depth, columns),
                 stacked(all, rows, columns));
}

}  // namespace mps
