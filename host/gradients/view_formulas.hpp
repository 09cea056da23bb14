#pragma once

#include "autograd/view_steps.hpp"

namespace switchyard {

/// The gradient of a base from that of a view: zeros around it.
Gradients grad_of_view(const ViewStep& step, const Gradients& grad_outputs);

/// The gradients of what a base was before a part was written over, which are 0 in that part, and
/// of what was written.
Gradients grad_of_write(const WriteToViewStep& step, const Gradients& grad_outputs);

}  // namespace switchyard
