#pragma once

#include "autograd/backward_step.hpp"
#include "tensor/tensor_impl.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// Where the backward pass ends at a leaf: adds to the leaf's gradient. A part of the leaf: who
/// refers to it refers to the leaf. Several threads may go back to one leaf at once.
class AccumulateGrad final : public BackwardStep {
 public:
  explicit AccumulateGrad(TensorImpl& leaf) : BackwardStep(1, leaf.references), leaf(leaf) {}

  std::string_view name() const override { return "a leaf"; }
  Gradients apply(const BackwardFormulas& formulas, Gradients grad_outputs) override {
    return formulas.of_leaf(*this, std::move(grad_outputs));
  }

  TensorImpl& leaf;
  trace::QuietMutex guard;  // of the leaf's gradient

 private:
  void unreferenced() override { free_tensor_impl(&leaf); }
};

}  // namespace switchyard
