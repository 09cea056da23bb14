#include "autograd/view_steps.hpp"

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/variable.hpp"

namespace switchyard {

PartGeometry::PartGeometry(const TensorImpl& base, const TensorImpl& view)
    : base_shape(base.shape), shape(view.shape), strides(view.strides) {
  if (!base.contiguous) {
    throw Error(ErrorKind::unsupported,
                "gradients through a write to a view need a base that is contiguous; call "
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
  return {as_strided_scatter_add(part_.base_shape, arrived[0], part_.strides, part_.offset)};
}

Gradients WriteToPart::apply(Gradients arrived) {
  Gradients result(2);
  const Tensor gradient = arrived[0].contiguous();
  if (edges[0]) {
    const Tensor kept = ones_like(gradient);
    kept.detach().as_strided(part_.shape, part_.strides, part_.offset).zero_();
    result[0] = mul(gradient, kept);
  }
  if (edges[1]) result[1] = gradient.as_strided(part_.shape, part_.strides, part_.offset);
  return result;
}

}  // namespace switchyard
