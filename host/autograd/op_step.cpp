#include "autograd/op_step.hpp"

#include "autograd/variable.hpp"

namespace switchyard {

OpStep::OpStep(const RuleRow& row, std::shared_ptr<const CallSite> site,
               std::span<const TensorRef> inputs, std::size_t output_count)
    : BackwardStep(static_cast<std::uint32_t>(output_count)),
      row_(row),
      site_(std::move(site)),
      inputs_(inputs.size()),
      outputs_(output_count) {
  edges.resize(inputs.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i]) continue;
    inputs_[i].dtype = inputs[i]->dtype;
    inputs_[i].shape = inputs[i]->shape;
    if (names(row.inputs, i)) inputs_[i].saved = SavedTensor(inputs[i]);
    edges[i] = edge_of(*inputs[i]);
  }
  assign_sequence_number();
}

void OpStep::save_outputs(std::span<const TensorRef> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i]) continue;
    outputs_[i].dtype = outputs[i]->dtype;
    outputs_[i].shape = outputs[i]->shape;
    if (names(row_.outputs, i)) outputs_[i].saved = SavedTensor::of_output(outputs[i]);
  }
}

void OpStep::replace_input(std::size_t i, const TensorRef& copy) {
  inputs_[i].saved = SavedTensor(copy);
}

void OpStep::release() {
  const auto release = [&](auto& kept) {
    if (!kept.saved) return;
    kept.saved = {};
    is_released_ = true;  // a step that saved nothing may be applied again
  };
  for (Input& input : inputs_) release(input);
  for (Output& output : outputs_) release(output);
}

}  // namespace switchyard
