#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// dY and Y have one shape, which is dX's.
void softmax_gradient_shape(Inference& inference);

}  // namespace switchyard
