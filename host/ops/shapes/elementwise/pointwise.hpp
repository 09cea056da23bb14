#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// Input 1 broadcasts to input 0, whose shape the output has (PRelu).
void broadcast_to_first_shape(Inference& inference);

/// The output has input 0's shape; inputs 1 and 2 are scalars (Clip).
void clip_shape(Inference& inference);

}  // namespace switchyard
