#include "autograd/view_steps.hpp"

#include <algorithm>
#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/variable.hpp"

namespace switchyard {

PartGeometry::PartGeometry(const TensorImpl& base, const TensorImpl& view)
    : order(base.shape.size(), 0),
      back(base.shape.size(), 0),
      base_shape(base.shape),
      shape(view.shape),
      strides(view.strides) {
  std::iota(order.begin(), order.end(), 0);
  const auto stride = [&](std::int64_t d) { return base.strides[static_cast<std::size_t>(d)]; };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::int64_t a, std::int64_t b) { return stride(a) > stride(b); });
  Dims in_order(order.size(), 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto d = static_cast<std::size_t>(order[i]);
    back[d] = static_cast<std::int64_t>(i);
    base_shape[i] = base.shape[d];
    in_order[i] = base.strides[d];
  }
  if (!is_contiguous(base_shape, in_order)) {
    throw Error(ErrorKind::unsupported,
                "gradients through a write to a view need a base without gaps in memory; call "
                "contiguous() on it before taking views");
  }
  offset = (view.offset_bytes - base.offset_bytes) * 8 / bit_width(base.dtype);
}

PartOfBase::PartOfBase(TensorImpl& base, const TensorImpl& view)
    : BackwardStep(1), part_(base, view) {
  edges = {edge_of(base)};
  be_youngest();
}

Gradients PartOfBase::apply(Gradients arrived) {
  const Tensor whole =
      as_strided_scatter_add(part_.base_shape, arrived[0], part_.strides, part_.offset);
  return {permute(whole, part_.back)};
}

Gradients WriteToPart::apply(Gradients arrived) {
  Gradients result(2);
  const Tensor gradient = permute(arrived[0], part_.order).contiguous();
  if (edges[0]) {
    const Tensor kept = ones_like(gradient);
    kept.detach().as_strided(part_.shape, part_.strides, part_.offset).zero_();
    result[0] = permute(mul(gradient, kept), part_.back);
  }
  if (edges[1]) result[1] = gradient.as_strided(part_.shape, part_.strides, part_.offset);
  return result;
}

}  // namespace switchyard
