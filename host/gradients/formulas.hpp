#pragma once

#include "autograd/backward_step.hpp"

namespace switchyard {

/// The formulas of all steps that recording makes.
const BackwardFormulas& backward_formulas();

}  // namespace switchyard
