#include "gradients/op_backward.hpp"

#include <fmt/format.h>

#include <optional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/mode.hpp"
#include "autograd/released.hpp"
#include "autograd/variable.hpp"
#include "device/open_device.hpp"
#include "gradients/rule.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

class OpBackward final : public Backward {
 public:
  OpBackward(OpStep& step, Gradients grad_outputs)
      : step_(step), grad_outputs_(std::move(grad_outputs)), grad_inputs_(step.edges.size()) {}

  const Op& op() const override { return step_.op(); }
  const Attributes& attributes() const override { return step_.attributes(); }
  std::size_t input_count() const override { return step_.inputs().size(); }
  bool has_input(std::size_t i) const override {
    return i < step_.inputs().size() && step_.inputs()[i].dtype != DType::undefined;
  }
  bool needs_input_grad(std::size_t i) const override {
    return i < step_.edges.size() && static_cast<bool>(step_.edges[i]);
  }
  const Dims& input_shape(std::size_t i) const override { return step_.inputs()[i].shape; }
  DType input_dtype(std::size_t i) const override { return step_.inputs()[i].dtype; }

  Tensor input(std::size_t i) const override {
    if (!has_input(i)) return {};
    const SavedTensor& saved = step_.inputs()[i].saved;
    require(saved, "input", i);
    return Tensor(saved.tensor().get());
  }

  Tensor output(std::size_t i) const override {
    const SavedTensor& saved = step_.outputs()[i].saved;
    require(saved, "output", i);
    if (!grad_mode()) return Tensor(saved.tensor().get());
    const TensorRef output = alias_of(saved.tensor());
    set_made_by(*output, StepRef(&step_), static_cast<std::uint32_t>(i));
    return Tensor(output.get());
  }

  std::size_t output_count() const override { return step_.outputs().size(); }
  bool has_output(std::size_t i) const override {
    return i < step_.outputs().size() && static_cast<bool>(step_.outputs()[i].saved);
  }

  bool has_grad_output(std::size_t i) const override {
    return i < grad_outputs_.size() && grad_outputs_[i].defined();
  }

  Tensor grad_output(std::size_t i) const override {
    if (has_grad_output(i)) return grad_outputs_[i];
    const OpStep::Output& output = step_.outputs()[i];
    for (const Tensor& other : grad_outputs_) {
      if (other.defined()) return other.new_full(output.shape, 0, {.dtype = output.dtype});
    }
    throw Error(ErrorKind::internal,
                fmt::format("[{}] has no gradient of any output", step_.name()));
  }

  void set_grad_input(std::size_t i, Tensor gradient) override {
    grad_inputs_[i] = std::move(gradient);
  }

  Gradients take_grad_inputs() { return std::move(grad_inputs_); }

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
  Gradients grad_outputs_;
  Gradients grad_inputs_;
};

void check_grad_inputs(const OpStep& step, const Gradients& grad_inputs) {
  for (std::size_t i = 0; i < grad_inputs.size(); ++i) {
    const Tensor& given = grad_inputs[i];
    const OpStep::Input& input = step.inputs()[i];
    if (!given.defined() || (given.shape() == input.shape && given.dtype() == input.dtype))
      continue;
    throw Error(
        ErrorKind::internal,
        fmt::format("the gradient rule of [{}] gives {} for input {}, which is {}", step.name(),
                    describe(given.dtype(), given.shape()), i, describe(input.dtype, input.shape)));
  }
}

}  // namespace

Gradients apply_rule(OpStep& step, Gradients grad_outputs) {
  if (step.is_released()) refuse_released(step.name());
  // Constants that a rule makes lie on the device of what they are for.
  std::optional<DeviceScope> same_device;
  for (const Tensor& gradient : grad_outputs) {
    if (!gradient.defined() || !gradient.impl()->device) continue;
    same_device.emplace(Device(gradient.impl()->device->shared_from_this()));
    break;
  }
  OpBackward backward(step, std::move(grad_outputs));
  step.row().rule(backward);
  Gradients grad_inputs = backward.take_grad_inputs();
  check_grad_inputs(step, grad_inputs);
  return grad_inputs;
}

}  // namespace switchyard
