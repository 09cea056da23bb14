#include "autograd/by_hand.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"

namespace switchyard {
namespace {

/// What the rule sees of the call.
class HandStep final : public Backward {
 public:
  HandStep(const RuleRow& row, const Attributes& given, std::span<const Tensor> inputs,
           std::span<const Tensor> outputs, std::span<const Tensor> arrived,
           const std::vector<bool>& wanted)
      : row_(row),
        attributes_(given),
        inputs_(inputs),
        outputs_(outputs),
        arrived_(arrived),
        wanted_(wanted),
        given_(inputs.size()) {}

  const Attributes& attributes() const override { return attributes_; }
  std::size_t input_count() const override { return inputs_.size(); }
  bool has_input(std::size_t i) const override {
    return i < inputs_.size() && static_cast<bool>(inputs_[i]);
  }
  bool wants(std::size_t i) const override { return i < wanted_.size() && wanted_[i]; }
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
  bool has_output(std::size_t i) const override {
    return i < outputs_.size() && outputs_[i] && (row_.outputs >> i & 1) != 0;
  }
  bool arrives(std::size_t i) const override {
    return i < arrived_.size() && static_cast<bool>(arrived_[i]);
  }
  Tensor arriving(std::size_t i) const override {
    return arrives(i) ? arrived_[i] : zeros_like(outputs_[i].detach());
  }
  void give(std::size_t i, Tensor gradient) override {
    if (gradient) require(gradient.shape() == inputs_[i].shape(), "a gradient of the shape of", i);
    given_[i] = std::move(gradient);
  }

  std::vector<Tensor> take() { return std::move(given_); }

 private:
  void require(bool holds, std::string_view what, std::size_t i) const {
    if (!holds) throw std::logic_error(fmt::format("the rule of {} lacks {} {}", row_.op, what, i));
  }

  const RuleRow& row_;
  const Attributes& attributes_;
  const std::span<const Tensor> inputs_, outputs_, arrived_;
  const std::vector<bool>& wanted_;
  std::vector<Tensor> given_;
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
      [&row, given, count](FunctionContext& context, std::span<const Tensor> arrived) {
        const std::span<const Tensor> saved = context.saved;
        HandStep step(row, given, saved.first(count), saved.subspan(count), arrived,
                      context.needs_gradient);
        row.rule(step);
        return step.take();
      }};
  return function(inputs);
}

}  // namespace switchyard
