#pragma once

#include "autograd/accumulate_grad.hpp"

namespace switchyard {

/// Adds the gradient, if there is one, to that of the leaf.
Gradients accumulate_grad(AccumulateGrad& step, Gradients grad_outputs);

/// `sum + gradient`; either may be no tensor. Written over `sum` where nothing else refers to it
/// and no gradients of gradients are asked for.
Tensor add_gradients(Tensor sum, const Tensor& gradient);

}  // namespace switchyard
