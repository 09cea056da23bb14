#include "gradients/view_formulas.hpp"

#include <algorithm>
#include <numeric>
#include <switchyard/functions.hpp>

#include "functions/creation/new_tensor.hpp"
#include "functions/indexing/indexed_elements.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// The dimensions in the order in which they lie in memory, the widest stride first.
Dims memory_order(const Dims& strides) {
  Dims order = Dims::filled(strides.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return strides[static_cast<std::size_t>(a)] > strides[static_cast<std::size_t>(b)];
  });
  return order;
}

/// Whether no two elements share memory; false where that is not plain from the strides.
bool are_disjoint(const Dims& shape, const Dims& strides) {
  const Dims order = memory_order(strides);
  std::int64_t reach = 0;
  for (std::size_t i = order.size(); i-- > 0;) {
    const auto d = static_cast<std::size_t>(order[i]);
    if (shape[d] <= 1) continue;
    if (strides[d] <= reach) return false;
    reach += (shape[d] - 1) * strides[d];
  }
  return true;
}

/// `span` contiguous zeros to which the elements of `value` are added where the strides say. A
/// dense value, whatever the order of its dimensions, is only reshaped.
Tensor scatter(std::int64_t span, const Tensor& value, const Dims& strides, std::int64_t offset) {
  const Dims order = memory_order(strides);
  Dims in_order = Dims::filled(strides.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    in_order[i] = strides[static_cast<std::size_t>(order[i])];
  }
  const Tensor placed = value.impl()->device ? value : place(value);
  return as_strided_scatter_add({span}, permute(placed, order), in_order, offset).contiguous();
}

}  // namespace

Gradients grad_of_view(const ViewStep& step, const Gradients& grad_outputs) {
  const PartGeometry& part = step.part;
  const Tensor& gradient = grad_outputs[0];
  if (element_count(part.base_shape) == 0 || gradient.size() == 0) {
    return {gradient.new_full(part.base_shape, 0)};
  }
  const Tensor scattered = scatter(part.span(), gradient, part.strides, part.offset);
  const Tensor whole = scattered.as_strided(part.base_shape, part.base_strides);
  if (are_disjoint(part.base_shape, part.base_strides)) return {whole};
  // Elements of the base that share memory share its gradient.
  const Tensor one = gradient.detach().new_full(part.base_shape, 1);
  const Tensor counts = scatter(part.span(), one, part.base_strides, 0);
  return {div(whole, counts.as_strided(part.base_shape, part.base_strides))};
}

Gradients grad_of_write(const WriteToViewStep& step, const Gradients& grad_outputs) {
  const PartGeometry& part = step.part;
  const Tensor& gradient = grad_outputs[0];
  if (element_count(part.base_shape) == 0 || element_count(part.shape) == 0) {
    return {gradient, gradient.new_full(part.shape, 0)};
  }
  Gradients result(2);
  if (step.edges[0]) {
    const Tensor written =
        gradient.detach().new_full({part.span()}, false, {.dtype = DType::bool_});
    written.as_strided(part.shape, part.strides, part.offset).fill_(true);
    result[0] = where(written.as_strided(part.base_shape, part.base_strides), 0, gradient);
  }
  if (step.edges[1]) {
    result[1] = scatter(part.span(), gradient, part.base_strides, 0)
                    .as_strided(part.shape, part.strides, part.offset);
  }
  return result;
}

}  // namespace switchyard
