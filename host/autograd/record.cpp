#include "autograd/record.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "tensor/placement.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard {
Recording::Recording(const std::shared_ptr<const CallSite>& site, std::span<const TensorRef> inputs,
                     std::size_t output_count) {
  const RuleLookup find_rule = rule_lookup();
  if (!find_rule) return;
  const RuleRow* row = find_rule(*site->op, site->attributes);
  if (!row) {
    throw Error(ErrorKind::internal,
                fmt::format("[{}] has no row in host/gradients/rules", site->op->name()));
  }
  if (row->rule) step_ = make_step<OpStep>(*row, site, inputs, output_count);
}

void Recording::made(std::span<TensorRef> outputs) const {
  if (!step_) return;
  step_->save_outputs(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i] && is_floating(outputs[i]->dtype)) {
      set_made_by(*outputs[i], step_, static_cast<std::uint32_t>(i));
    }
  }
}

void Recording::keep_overwritten(std::span<const TensorRef> inputs,
                                 std::span<const Tensor> targets) {
  if (!step_) return;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i] || !step_->saves_input(i)) continue;
    for (const Tensor& target : targets) {
      if (!target.defined() || !inputs[i].may_overlap(TensorRef(target.impl()))) continue;
      CopyCount count;
      TensorRef copy = copy_to(*inputs[i]->device, inputs[i], count);
      if (const Edge edge = edge_of(*inputs[i])) set_made_by(*copy, edge.step, edge.output);
      step_->replace_input(i, copy);
      break;
    }
  }
}

void Recording::written(std::span<const Tensor> targets) const {
  if (!step_) return clear_history(targets);
  boost::container::small_vector<TensorRef, 4> outputs;
  for (const Tensor& target : targets) outputs.emplace_back(target.impl());
  step_->save_outputs({outputs.data(), outputs.size()});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]) rewrite_history(outputs[i], {step_, static_cast<std::uint32_t>(i)});
  }
}

void record_views(std::span<const TensorRef> inputs, std::span<TensorRef> outputs) {
  if (!inputs[0]->storage) return;
  for (TensorRef& output : outputs) {
    if (output && output->storage.get() == inputs[0]->storage.get()) {
      set_view_of(*output, inputs[0]);
    }
  }
}

void clear_history(std::span<const Tensor> targets) {
  if (!grad_mode()) return;
  for (const Tensor& target : targets) {
    if (target.defined()) rewrite_history(TensorRef(target.impl()), {});
  }
}

}  // namespace switchyard
