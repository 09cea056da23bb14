#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// Reduce*: axes come as input 1; `keepdims` and `noop_with_empty_axes` are attributes.
void reduce_shape(Inference& inference);

/// ArgMax and ArgMin: one `axis`, an attribute.
void arg_reduce_shape(Inference& inference);

/// The output has input 0's shape, in which the attribute `axis` must name a dimension.
void along_axis_shape(Inference& inference);

/// CumSum: as above, but the axis is input 1.
void cum_sum_shape(Inference& inference);

}  // namespace switchyard
