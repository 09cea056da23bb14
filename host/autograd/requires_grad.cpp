// Which tensors require gradients, and the gradients that they have.
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>

#include "autograd/gradient_form.hpp"
#include "autograd/mode.hpp"
#include "autograd/saved.hpp"
#include "autograd/variable.hpp"
#include "error/called_function.hpp"
#include "tensor/overlap.hpp"
#include "types/describe.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {
namespace {

/// All C++ numbers of one value share a tensor.
void refuse_number(const TensorImpl& impl) {
  if (!impl.is_number) return;
  throw Error(
      ErrorKind::invalid_argument,
      "a C++ number has no gradient, as it is not a tensor of its own; make a tensor of it with "
      "full({}, number)");
}

/// The next backward pass adds to the elements.
void check_kept_gradient(const Tensor& tensor, const Tensor& gradient) {
  const TensorRef kept(gradient.impl());
  const char* reason = nullptr;
  if (kept.get() == tensor.impl() || share_memory(kept, TensorRef(tensor.impl()))) {
    reason = "shares memory with the tensor";
  } else if (kept->storage && kept->storage->is_read_only()) {
    reason = "is read-only";
  } else if (kept->size_bytes() > 0 && overlaps_itself(*kept)) {
    reason = "shows elements more than once";
  }
  if (!reason) return;
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[set_grad] the gradient {}, but is added to; give a clone() of it", reason));
}

}  // namespace

bool is_grad_enabled() { return grad_mode(); }
GradMode::GradMode(Flag enabled) : before_(thread_context.grad_mode) {
  thread_context.grad_mode = enabled;
}
GradMode::~GradMode() { thread_context.grad_mode = before_; }

bool Tensor::requires_grad() const { return switchyard::requires_grad(impl_of(*this)); }

bool Tensor::is_leaf() const {
  const Edge edge = edge_of(impl_of(*this));
  return !edge || !variable_of(*impl_)->made_by;
}

Tensor Tensor::requires_grad_(Flag requires_grad) const {
  const CalledFunction here;
  TensorImpl& impl = impl_of(*this);
  if (!is_leaf()) {
    if (requires_grad) return *this;
    throw Error(ErrorKind::invalid_argument,
                "only a leaf may stop requiring a gradient; use detach() for the elements of a "
                "tensor that a function made");
  }
  if (requires_grad && !is_floating(impl.dtype)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("{} has no gradients; convert the tensor to a floating-point type",
                            name_of(impl.dtype)));
  }
  if (!requires_grad && !impl.history) return *this;
  refuse_number(impl);
  Variable& variable = make_variable(impl);
  // A leaf of its own from now on, though it may share the elements of a tensor without gradient.
  if (requires_grad && !variable.requires_grad) variable.base.reset();
  if (requires_grad && !variable.accumulate_grad) {
    variable.accumulate_grad = std::make_unique<AccumulateGrad>(impl);
  }
  variable.requires_grad = requires_grad;
  return *this;
}

Tensor Tensor::grad() const {
  const Variable* variable = variable_of(impl_of(*this));
  if (!variable) return {};
  return variable->retained_grad ? *variable->retained_grad : variable->grad;
}

void Tensor::set_grad(const Tensor& gradient) const {
  const CalledFunction here;
  refuse_number(impl_of(*this));
  Variable& variable = make_variable(*impl_);
  if (!gradient.defined()) {
    variable.grad = {};
    return;
  }
  const Tensor fitting = fitting_gradient(gradient, GradientForm(*impl_), "set_grad", "the tensor");
  check_kept_gradient(*this, fitting);
  variable.grad = fitting;
}

void Tensor::retain_grad() const {
  TensorImpl& impl = impl_of(*this);
  const Edge edge = required_edge_of(impl);
  Variable& variable = *variable_of(impl);
  if (!variable.made_by || variable.retained_grad) return;
  variable.retained_grad = std::make_shared<Tensor>();
  edge.step->retain_grad(edge.output, variable.retained_grad);
}

Tensor Tensor::detach() const { return Tensor(alias_of(TensorRef(&impl_of(*this))).get()); }

}  // namespace switchyard
