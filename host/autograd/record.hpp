#pragma once

#include <memory>
#include <span>

#include "autograd/mode.hpp"
#include "autograd/op_step.hpp"
#include "autograd/variable.hpp"
#include "routing/call.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Whether a call with these inputs must be noted.
inline bool is_noted(std::span<const TensorRef> inputs) {
  if (!grad_mode) return false;
  for (const TensorRef& input : inputs) {
    if (input && input->history && requires_grad(*input)) return true;
  }
  return false;
}

/// Notes one call of an op: before it runs, what it is called with; then what it made.
class Recording {
 public:
  /// Throws Error(internal) if the op has no row of rules.
  Recording(const std::shared_ptr<const CallSite>& site, std::span<const TensorRef> inputs,
            std::size_t output_count);

  void made(std::span<TensorRef> outputs) const;

  /// For a call in place: keeps copies of inputs that the call writes over and the rule needs.
  void keep_overwritten(std::span<const TensorRef> inputs, std::span<const Tensor> targets);
  void written(std::span<const Tensor> targets) const;

 private:
  boost::intrusive_ptr<OpStep> step_;  // null: no gradient flows through the op
};

/// Notes that outputs share the elements of the first input, where they do.
void note_views(std::span<const TensorRef> inputs, std::span<TensorRef> outputs);

/// A write in place that nothing flows through: what made the targets before did not make them now.
void note_unrecorded_write(std::span<const Tensor> targets);

}  // namespace switchyard
