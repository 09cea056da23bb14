#pragma once

#include "ops/inference.hpp"

namespace switchyard {

void einsum_shape(Inference& inference);

}  // namespace switchyard
