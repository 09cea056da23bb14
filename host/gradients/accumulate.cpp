#include "gradients/accumulate.hpp"

#include <mutex>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"

namespace switchyard {
namespace {

/// Whether the gradient has no other owner than the caller, and may be written over.
bool may_be_written(const Tensor& gradient) {
  return TensorRef::is_held_once(*gradient.impl()) && gradient.is_contiguous();
}

}  // namespace

Tensor add_gradients(Tensor sum, const Tensor& gradient) {
  if (!sum.defined()) return gradient;
  if (!gradient.defined()) return sum;
  if (grad_mode() || !may_be_written(sum)) return add(sum, gradient);
  sum.add_(gradient);
  return sum;
}

Gradients accumulate_grad(AccumulateGrad& step, Gradients grad_outputs) {
  if (!grad_outputs[0].defined()) return {};
  const std::scoped_lock guard(step.guard);
  Variable& variable = make_variable(step.leaf);
  if (!variable.grad.defined()) {
    // Not the very tensor that came: others may hold it, and the gradient is written to later.
    const bool is_kept = grad_mode() || may_be_written(grad_outputs[0]);
    variable.grad = is_kept ? std::move(grad_outputs[0]) : grad_outputs[0].clone();
    return {};
  }
  if (grad_mode() || !variable.grad.impl()->device) {  // a value of the host does not change
    variable.grad = add(variable.grad, grad_outputs[0]);
  } else {
    // In place: who took the gradient, an optimizer say, sees the sum.
    variable.grad.add_(grad_outputs[0]);
  }
  return {};
}

}  // namespace switchyard
