#pragma once

#include "autograd/op_step.hpp"

namespace switchyard {

/// Applies the rule of a recorded call. Throws Error(invalid_argument) if what it saved was
/// released or written over since.
Gradients apply_rule(OpStep& step, Gradients grad_outputs);

}  // namespace switchyard
