#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include <switchyard/tensor.hpp>

#include "autograd/accumulate_grad.hpp"
#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// What autograd knows of a tensor: whether it requires a gradient, what made it, which tensor it
/// views.
struct Variable final : History {
  bool requires_gradient(TensorImpl& tensor) override;
  std::string grad_fn_name(TensorImpl& tensor) override;

  bool requires_grad = false;
  Edge made_by;                           // empty for a leaf
  Tensor grad;                            // of a leaf
  std::shared_ptr<Tensor> retained_grad;  // of a tensor that is not a leaf, after retain_grad()
  std::unique_ptr<AccumulateGrad> accumulate_grad;  // of a leaf that requires a gradient, or did

  // A view also changes with its base, written to through any tensor that shares the elements.
  TensorRef base;  // null for a tensor that is not a view
  bool is_made_unrecorded =
      false;  // under NoGrad, or a view of such: as a view it needs no gradient
  std::atomic<std::uint32_t> seen_version{0};  // of the storage, when made_by was right
};

inline Variable* variable_of(const TensorImpl& tensor) {
  return static_cast<Variable*>(tensor.history.get());
}
/// The same, made if there is none.
Variable& make_variable(TensorImpl& tensor);

/// How often the elements that the tensor shows were written to; 0 where it has none.
inline std::uint32_t version_of(const TensorImpl& tensor) {
  return tensor.storage ? tensor.storage->version() : 0;
}

/// Whether gradients flow through the tensor.
bool requires_grad(TensorImpl& tensor);
/// Where the gradient of the tensor goes; empty if it requires none.
Edge edge_of(TensorImpl& tensor);
/// The same; throws Error(invalid_argument) if it requires none.
Edge required_edge_of(TensorImpl& tensor);

/// Records that `step` made the tensor.
void set_made_by(TensorImpl& tensor, StepRef step, std::uint32_t output);
/// Records that `view` shares the elements of `base`. One that is made under NoGrad requires no
/// gradient, and nothing is written through it in grad mode where its base requires one.
void set_view_of(TensorImpl& view, const TensorRef& base);

/// Records that the tensor's elements were written over by what `edge` leads to (nothing, if
/// empty): its history, and that of what it views, change. The write must have been counted.
void rewrite_history(const TensorRef& tensor, Edge edge);

}  // namespace switchyard
