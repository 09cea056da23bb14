#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// dY and Y have one shape, which is dX's.
void softmax_gradient_shape(Inference& inference);

/// dY and X have one shape, which is dX's; the scale's is that of a line, X's extents from "axis"
/// on, and so are dScale's and dBias's.
void layer_normalization_gradient_shape(Inference& inference);

/// dY and X have one shape [N, C, ...], which is dX's; the scale has one number a channel, and so
/// have dScale and dBias.
void batch_normalization_gradient_shape(Inference& inference);
/// The same; "num_groups" divides the channels.
void group_normalization_gradient_shape(Inference& inference);

}  // namespace switchyard
