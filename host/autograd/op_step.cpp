#include "autograd/op_step.hpp"

#include <fmt/format.h>

#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "ops/describe.hpp"
#include "tensor/placement.hpp"

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
  be_youngest();
}

void OpStep::save_outputs(std::span<const TensorRef> outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i]) continue;
    outputs_[i].dtype = outputs[i]->dtype;
    outputs_[i].shape = outputs[i]->shape;
    outputs_[i].device = outputs[i]->device;
    if (names(row_.outputs, i)) outputs_[i].saved = SavedTensor::of_output(outputs[i]);
  }
}

void OpStep::replace_input(std::size_t i, const TensorRef& copy) {
  inputs_[i].saved = SavedTensor(copy);
}

/// One going back through the step.
class OpStep::Pass final : public Backward {
 public:
  Pass(OpStep& step, Gradients arrived)
      : step_(step), arrived_(std::move(arrived)), given_(step.edges.size()) {}

  const Attributes& attributes() const override { return step_.site_->attributes; }
  std::size_t input_count() const override { return step_.inputs_.size(); }
  bool has_input(std::size_t i) const override {
    return i < step_.inputs_.size() && step_.inputs_[i].dtype != DType::undefined;
  }
  bool wants(std::size_t i) const override {
    return i < step_.edges.size() && static_cast<bool>(step_.edges[i]);
  }
  const Dims& input_shape(std::size_t i) const override { return step_.inputs_[i].shape; }
  DType input_dtype(std::size_t i) const override { return step_.inputs_[i].dtype; }

  Tensor input(std::size_t i) const override {
    if (!has_input(i)) return {};
    const SavedTensor& saved = step_.inputs_[i].saved;
    require(saved, "input", i);
    return Tensor(saved.tensor().get());
  }

  Tensor output(std::size_t i) const override {
    const SavedTensor& saved = step_.outputs_[i].saved;
    require(saved, "output", i);
    if (!grad_mode) return Tensor(saved.tensor().get());
    const TensorRef output = alias_of(saved.tensor());
    set_made_by(*output, StepRef(&step_), static_cast<std::uint32_t>(i));
    return Tensor(output.get());
  }

  bool has_output(std::size_t i) const override {
    return i < step_.outputs_.size() && static_cast<bool>(step_.outputs_[i].saved);
  }

  bool arrives(std::size_t i) const override {
    return i < arrived_.size() && static_cast<bool>(arrived_[i]);
  }

  Tensor arriving(std::size_t i) const override {
    if (arrives(i)) return arrived_[i];
    const Output& output = step_.outputs_[i];
    for (const Tensor& other : arrived_) {
      if (other) return full_like(other, output.shape, 0, output.dtype);
    }
    throw Error(ErrorKind::internal,
                fmt::format("[{}] goes back without a gradient", step_.name()));
  }

  void give(std::size_t i, Tensor gradient) override { given_[i] = std::move(gradient); }

  Gradients take() { return std::move(given_); }

 private:
  void require(const SavedTensor& saved, std::string_view what, std::size_t i) const {
    if (!saved) {
      throw Error(ErrorKind::internal, fmt::format("the gradient rule of [{}] reads {} {}, which "
                                                   "its row does not save",
                                                   step_.name(), what, i));
    }
    saved.check(step_.name());
  }

  OpStep& step_;
  Gradients arrived_;
  Gradients given_;
};

Gradients OpStep::apply(Gradients arrived) {
  if (released_) {
    throw Error(ErrorKind::usage,
                fmt::format("[{}] was gone back through before, and what it had saved is freed; "
                            "pass retain_graph = true the first time",
                            name()));
  }
  // Constants that a rule makes lie beside what they are for.
  std::optional<DeviceScope> beside;
  for (const Tensor& gradient : arrived) {
    if (!gradient || !gradient.impl()->device) continue;
    beside.emplace(Device(gradient.impl()->device->shared_from_this()));
    break;
  }
  Pass pass(*this, std::move(arrived));
  row_.rule(pass);
  Gradients given = pass.take();
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i] || (given[i].shape() == inputs_[i].shape && given[i].dtype() == inputs_[i].dtype))
      continue;
    throw Error(ErrorKind::internal,
                fmt::format("the gradient rule of [{}] gives {} for input {}, which is {}", name(),
                            describe(given[i].dtype(), given[i].shape()), i,
                            describe(inputs_[i].dtype, inputs_[i].shape)));
  }
  return given;
}

void OpStep::release() {
  const auto let_go = [&](auto& kept) {
    if (!kept.saved) return;
    kept.saved = {};
    released_ = true;  // what saved nothing may be gone back through again
  };
  for (Input& input : inputs_) let_go(input);
  for (Output& output : outputs_) let_go(output);
}

}  // namespace switchyard
