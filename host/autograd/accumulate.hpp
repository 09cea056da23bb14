#pragma once

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The end of the way back at a leaf: adds what arrives to its gradient.
class Accumulate final : public BackwardStep {
 public:
  explicit Accumulate(TensorRef leaf) : BackwardStep(1), leaf_(std::move(leaf)) {}

  std::string_view name() const override { return "a leaf"; }
  Gradients apply(Gradients arrived) override;
  const TensorRef& leaf() const { return leaf_; }

 private:
  TensorRef leaf_;
};

/// `sum + gradient`; either may be no tensor. Written over `sum` where nobody else sees it and no
/// gradients of gradients are asked for.
Tensor add_gradients(Tensor sum, const Tensor& gradient);

}  // namespace switchyard
