#pragma once

#include <memory>
#include <span>

#include "autograd/mode.hpp"
#include "autograd/op_step.hpp"
#include "autograd/variable.hpp"
#include "routing/call.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// Whether a call with these inputs must be recorded.
inline bool must_record(std::span<const TensorRef> inputs) {
  if (!grad_mode()) return false;
  for (const TensorRef& input : inputs) {
    if (input && input->history && requires_grad(*input)) return true;
  }
  return false;
}

/// Records one call of an op: before it runs, its inputs; then its outputs.
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

/// Records which outputs are views of the first input.
void record_views(std::span<const TensorRef> inputs, std::span<TensorRef> outputs);

/// After a write in place through which no gradient flows: the targets no longer have the history
/// that they had.
void clear_history(std::span<const Tensor> targets);

}  // namespace switchyard
