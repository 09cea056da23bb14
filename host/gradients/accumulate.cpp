#include "gradients/accumulate.hpp"

#include <mutex>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"

namespace switchyard {

Tensor add_gradients(Tensor sum, const Tensor& gradient) {
  if (!sum.defined()) return gradient;
  if (!gradient.defined()) return sum;
  const TensorImpl& impl = *sum.impl();
  const bool is_unique = impl.references.load(std::memory_order_acquire) == 1 && impl.storage &&
                         !impl.storage->is_shared() && impl.contiguous;
  if (grad_mode() || !is_unique) return add(sum, gradient);
  sum.add_(gradient);
  return sum;
}

Gradients accumulate_grad(AccumulateGrad& step, Gradients grad_outputs) {
  if (!grad_outputs[0].defined()) return {};
  const std::scoped_lock guard(step.guard);
  Variable& variable = make_variable(step.leaf);
  if (!variable.grad.defined()) {
    // Not the very tensor that came: others may hold it, and the gradient is written to later.
    const TensorImpl& given = *grad_outputs[0].impl();
    const bool is_shared = given.references.load(std::memory_order_acquire) > 1 || !given.storage ||
                           given.storage->is_shared() || !grad_outputs[0].is_contiguous();
    variable.grad =
        is_shared && !grad_mode() ? grad_outputs[0].clone() : std::move(grad_outputs[0]);
    return {};
  }
  if (grad_mode()) {
    variable.grad = add(variable.grad, grad_outputs[0]);
  } else {
    // In place: who took the gradient, an optimizer say, sees the sum.
    variable.grad.add_(grad_outputs[0]);
  }
  return {};
}

}  // namespace switchyard
