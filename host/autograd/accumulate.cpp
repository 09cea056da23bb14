#include "autograd/accumulate.hpp"

#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"

namespace switchyard {

Tensor add_gradients(Tensor sum, const Tensor& gradient) {
  if (!sum) return gradient;
  if (!gradient) return sum;
  const TensorImpl& impl = *sum.impl();
  const bool alone = impl.references.load(std::memory_order_acquire) == 1 && impl.storage &&
                     !impl.storage->is_shared() && impl.contiguous;
  if (grad_mode || !alone) return add(sum, gradient);
  sum.add_(gradient);
  return sum;
}

Gradients Accumulate::apply(Gradients arrived) {
  if (!arrived[0]) return {};
  const std::scoped_lock guard(guard_);
  Variable& variable = make_variable(leaf_);
  if (!variable.grad) {
    // Not the very tensor that arrived: others may hold it, and the gradient is written to later.
    const bool shared = arrived[0].impl()->references.load(std::memory_order_acquire) > 1 ||
                        !arrived[0].impl()->storage || arrived[0].impl()->storage->is_shared() ||
                        !arrived[0].is_contiguous();
    variable.grad = shared && !grad_mode ? arrived[0].clone() : std::move(arrived[0]);
    return {};
  }
  if (grad_mode) {
    variable.grad = add(variable.grad, arrived[0]);
  } else {
    // In place: who took the gradient, an optimizer say, sees the sum.
    variable.grad.add_(arrived[0]);
  }
  return {};
}

}  // namespace switchyard
