#pragma once

#include <mutex>

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The end of the way back at a leaf: adds what arrives to its gradient. A part of the leaf: who
/// refers to it refers to the leaf. Threads may go back to one leaf at once, each to its end.
class Accumulate final : public BackwardStep {
 public:
  explicit Accumulate(TensorImpl& leaf) : BackwardStep(1, leaf.references), leaf_(leaf) {}

  std::string_view name() const override { return "a leaf"; }
  Gradients apply(Gradients arrived) override;

 private:
  void unreferenced() override { free_tensor_impl(&leaf_); }

  TensorImpl& leaf_;
  std::mutex guard_;
};

/// `sum + gradient`; either may be no tensor. Written over `sum` where nobody else sees it and no
/// gradients of gradients are asked for.
Tensor add_gradients(Tensor sum, const Tensor& gradient);

}  // namespace switchyard
