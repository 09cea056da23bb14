// Gradients of activations.
#include <switchyard/functions.hpp>

#include "autograd/rules.hpp"

namespace switchyard {
namespace {

void relu_rule(Backward& step) {
  step.give(0, mul(step.arriving(), gt(step.output().detach(), 0).to(step.input_dtype(0))));
}

void softmax_rule(Backward& step) {
  const Tensor y = step.output();
  const Dims axis{step.attributes().get_int("axis", -1)};
  const Tensor weighted = mul(step.arriving(), y);
  step.give(0, sub(weighted, mul(y, sum(weighted, axis, true))));
}

void log_softmax_rule(Backward& step) {
  const Dims axis{step.attributes().get_int("axis", -1)};
  const Tensor share = mul(exp(step.output()), sum(step.arriving(), axis, true));
  step.give(0, sub(step.arriving(), share));
}

constexpr RuleRow kRows[] = {
    {"Relu", relu_rule, kNothing, saves(0)},
    {"Softmax", softmax_rule, kNothing, saves(0)},
    {"LogSoftmax", log_softmax_rule, kNothing, saves(0)},
};

}  // namespace

std::span<const RuleRow> activation_rules() { return kRows; }

}  // namespace switchyard
