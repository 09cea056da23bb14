#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// dY and Y have one shape, which is dX's.
void softmax_gradient_shape(Inference& inference);

/// dY and X have one shape, which is dX's; the scale's is that of a line, X's extents from "axis"
/// on, and so are dScale's and dBias's.
void layer_normalization_gradient_shape(Inference& inference);

}  // namespace switchyard
