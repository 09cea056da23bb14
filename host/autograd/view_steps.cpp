#include "autograd/view_steps.hpp"

#include <algorithm>
#include <numeric>
#include <switchyard/functions.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// One past the last element that such a view shows; 0 if it shows none.
std::int64_t end_of(const Dims& shape, const Dims& strides, std::int64_t offset) {
  std::int64_t last = offset;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 0) return 0;
    last += (shape[d] - 1) * strides[d];
  }
  return last + 1;
}

/// The dimensions in the order in which they lie in memory, the widest stride first.
Dims memory_order(const Dims& strides) {
  Dims order(strides.size(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return strides[static_cast<std::size_t>(a)] > strides[static_cast<std::size_t>(b)];
  });
  return order;
}

/// Whether no two elements lie in one place, as far as that is plain to see.
bool are_apart(const Dims& shape, const Dims& strides) {
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

/// Zeros of `span` contiguous elements to which those of `value` are added at their places. A value
/// that is dense, whatever the order of its dimensions, is only reshaped.
Tensor laid_out(std::int64_t span, const Tensor& value, const Dims& strides, std::int64_t offset) {
  const Dims order = memory_order(strides);
  Dims in_order(strides.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    in_order[i] = strides[static_cast<std::size_t>(order[i])];
  }
  const Tensor placed = value.impl()->device ? value : place(value);
  return as_strided_scatter_add({span}, permute(placed, order), in_order, offset).contiguous();
}

}  // namespace

std::int64_t PartGeometry::span() const {
  return std::max(end_of(base_shape, base_strides, 0), end_of(shape, strides, offset));
}

PartGeometry part_geometry(const TensorImpl& base, const TensorImpl& view) {
  return {base.shape, base.strides, view.shape, view.strides,
          (view.offset_bytes - base.offset_bytes) * 8 / bit_width(base.dtype)};
}

PartOfBase::PartOfBase(Edge base, PartGeometry part) : BackwardStep(1), part_(std::move(part)) {
  edges = {std::move(base)};
  be_youngest();
}

Gradients PartOfBase::apply(Gradients arrived) {
  const Tensor& gradient = arrived[0];
  if (element_count(part_.base_shape) == 0 || gradient.size() == 0) {
    return {full_like(gradient, part_.base_shape, 0)};
  }
  const Tensor places = laid_out(part_.span(), gradient, part_.strides, part_.offset);
  const Tensor whole = places.as_strided(part_.base_shape, part_.base_strides);
  if (are_apart(part_.base_shape, part_.base_strides)) return {whole};
  // Elements of the base that share a place share its gradient.
  const Tensor one = full_like(gradient.detach(), part_.base_shape, 1);
  const Tensor counts = laid_out(part_.span(), one, part_.base_strides, 0);
  return {div(whole, counts.as_strided(part_.base_shape, part_.base_strides))};
}

WriteToPart::WriteToPart(PartGeometry part, Edge before, Edge written)
    : BackwardStep(1), part_(std::move(part)) {
  edges = {std::move(before), std::move(written)};
  be_youngest();
}

Gradients WriteToPart::apply(Gradients arrived) {
  const Tensor& gradient = arrived[0];
  if (element_count(part_.base_shape) == 0 || element_count(part_.shape) == 0) {
    return {gradient, full_like(gradient, part_.shape, 0)};
  }
  Gradients result(2);
  if (edges[0]) {
    const Tensor written = full_like(gradient.detach(), {part_.span()}, false, DType::bool_);
    written.as_strided(part_.shape, part_.strides, part_.offset).fill_(true);
    result[0] = where(written.as_strided(part_.base_shape, part_.base_strides), 0, gradient);
  }
  if (edges[1]) {
    result[1] = laid_out(part_.span(), gradient, part_.base_strides, 0)
                    .as_strided(part_.shape, part_.strides, part_.offset);
  }
  return result;
}

}  // namespace switchyard
