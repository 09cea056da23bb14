#include "gradients/by_hand.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "gradients/rules.hpp"

namespace switchyard {
namespace {

/// What the rule sees of the call.
class HandStep final : public Backward {
 public:
  HandStep(const RuleRow& row, const Attributes& given, std::span<const Tensor> inputs,
           std::span<const Tensor> outputs, std::span<const Tensor> grad_outputs,
           const std::vector<bool>& wanted)
      : row_(row),
        attributes_(given),
        inputs_(inputs),
        outputs_(outputs),
        grad_outputs_(grad_outputs),
        needs_input_grad_(wanted),
        grad_inputs_(inputs.size()) {}

  const Op& op() const override { return *find_op(row_.domain, row_.op); }
  const Attributes& attributes() const override { return attributes_; }
  std::size_t input_count() const override { return inputs_.size(); }
  bool has_input(std::size_t i) const override {
    return i < inputs_.size() && inputs_[i].defined();
  }
  bool needs_input_grad(std::size_t i) const override {
    return i < needs_input_grad_.size() && needs_input_grad_[i];
  }
  const Dims& input_shape(std::size_t i) const override { return inputs_[i].shape(); }
  DType input_dtype(std::size_t i) const override { return inputs_[i].dtype(); }
  Tensor input(std::size_t i) const override {
    if (!has_input(i)) return {};
    require((row_.inputs >> i & 1) != 0, "input", i);
    return inputs_[i];
  }
  Tensor output(std::size_t i) const override {
    require(has_output(i), "output", i);
    return outputs_[i];
  }
  std::size_t output_count() const override { return outputs_.size(); }
  bool has_output(std::size_t i) const override {
    return i < outputs_.size() && outputs_[i].defined() && (row_.outputs >> i & 1) != 0;
  }
  bool has_grad_output(std::size_t i) const override {
    return i < grad_outputs_.size() && grad_outputs_[i].defined();
  }
  Tensor grad_output(std::size_t i) const override {
    return has_grad_output(i) ? grad_outputs_[i] : zeros_like(outputs_[i].detach());
  }
  void set_grad_input(std::size_t i, Tensor gradient) override {
    if (gradient.defined())
      require(gradient.shape() == inputs_[i].shape(), "a gradient of the shape of", i);
    grad_inputs_[i] = std::move(gradient);
  }

  std::vector<Tensor> take() { return std::move(grad_inputs_); }

 private:
  void require(bool holds, std::string_view what, std::size_t i) const {
    if (!holds) throw std::logic_error(fmt::format("the rule of {} lacks {} {}", row_.op, what, i));
  }

  const RuleRow& row_;
  const Attributes& attributes_;
  const std::span<const Tensor> inputs_, outputs_, grad_outputs_;
  const std::vector<bool>& needs_input_grad_;
  std::vector<Tensor> grad_inputs_;
};

}  // namespace

std::vector<Tensor> by_hand(std::string_view op, const ByHand& forward,
                            std::span<const Tensor> inputs, const Attributes& given) {
  const RuleRow& row = *rule_of(*find_op("", op), given);
  const std::size_t count = inputs.size();
  const CustomFunction function{
      std::string(op),
      [&forward](FunctionContext& context, std::span<const Tensor> in) {
        std::vector<Tensor> outputs = forward(in);
        context.saved.assign(in.begin(), in.end());
        context.saved.insert(context.saved.end(), outputs.begin(), outputs.end());
        return outputs;
      },
      [&row, given, count](FunctionContext& context, std::span<const Tensor> grad_outputs) {
        const std::span<const Tensor> saved = context.saved;
        HandStep step(row, given, saved.first(count), saved.subspan(count), grad_outputs,
                      context.needs_gradient);
        row.rule(step);
        return step.take();
      }};
  return function(inputs);
}

}  // namespace switchyard
