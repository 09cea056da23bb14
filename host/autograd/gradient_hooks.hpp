#pragma once

#include "autograd/hook_list.hpp"

namespace switchyard {

/// What is called with the gradient of one output of a step.
using GradientHooks = HookList<Hook<Tensor, const Tensor&>>;

/// Calls them, each with what the one before has left. Throws Error(invalid_argument) for what does
/// not fit in place of the gradient.
void call_hooks(const GradientHooks& hooks, Tensor& gradient);

}  // namespace switchyard
