// Gradients of activations.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"
#include "functions/reductions/sum_to.hpp"
#include "gradients/rules.hpp"
#include "gradients/rules/composite_gradient.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kSoftmaxGradient("SoftmaxGradient", "switchyard"),
    kLogSoftmaxGradient("LogSoftmaxGradient", "switchyard");

double attribute(const Backward& step, std::string_view name, float otherwise) {
  return step.attributes().get_float(name, otherwise);
}

/// exp(x) for those below 0, which alone count: no infinity comes of the others.
Tensor exp_below_zero(const Tensor& x) { return exp(clamp(x, {}, 0)); }

/// The result tells where the input was positive, or NaN.
void relu_rule(Backward& step) {
  step.set_grad_input(0, where(le(step.output().detach(), 0), 0, step.grad_output()));
}

void leaky_relu_rule(Backward& step) {
  const Tensor g = step.grad_output();
  step.set_grad_input(0, where(gt(step.input(0), 0), g, mul(g, attribute(step, "alpha", 0.01F))));
}

void elu_rule(Backward& step) {
  const Tensor x = step.input(0), g = step.grad_output();
  const Tensor derivative = mul(exp_below_zero(x), attribute(step, "alpha", 1));
  step.set_grad_input(0, where(gt(x, 0), g, mul(g, derivative)));
}

void selu_rule(Backward& step) {
  const Tensor x = step.input(0);
  const double alpha = attribute(step, "alpha", 1.67326319217681884765625F);
  const Tensor g = mul(step.grad_output(), attribute(step, "gamma", 1.05070102214813232421875F));
  step.set_grad_input(0, where(gt(x, 0), g, mul(g, mul(exp_below_zero(x), alpha))));
}

void celu_rule(Backward& step) {
  const Tensor x = step.input(0), g = step.grad_output();
  const Tensor derivative = exp_below_zero(div(x, attribute(step, "alpha", 1)));
  step.set_grad_input(0, where(gt(x, 0), g, mul(g, derivative)));
}

void hard_sigmoid_rule(Backward& step) {
  const double alpha = attribute(step, "alpha", 0.2F);
  const double beta = attribute(step, "beta", 0.5F);
  if (alpha == 0) return step.set_grad_input(0, zeros_like(step.grad_output()));
  // Where the line meets 0 and 1: it itself may be rounded to them.
  const auto [low, high] = std::minmax({-beta / alpha, (1 - beta) / alpha});
  const Mask is_inside = logical_and(gt(step.input(0), low), lt(step.input(0), high));
  step.set_grad_input(0, where(is_inside, mul(step.grad_output(), alpha), 0));
}

void hard_swish_rule(Backward& step) {
  const Tensor x = step.input(0), g = step.grad_output();
  const Tensor between = mul(g, add(div(x, 3), 0.5));
  step.set_grad_input(0, where(le(x, -3), 0, where(lt(x, 3), between, g)));
}

/// x Phi(x), where Phi(x) is the probability of less than x; or its approximation by tanh.
void gelu_rule(Backward& step) {
  const Tensor x = step.input(0), squares = square(x);
  const double root = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;  // of 2 / pi
  Tensor derivative;
  if (step.attributes().get_text("approximate", "none") == "tanh") {
    const Tensor inner = mul(mul(x, add(mul(squares, 0.044715), 1)), root);
    const Tensor bent = tanh(inner);
    const Tensor inner_derivative = mul(add(mul(squares, 3 * 0.044715), 1), root);
    const Tensor bent_derivative = mul(mul(x, sub(1, square(bent))), inner_derivative);
    derivative = mul(add(add(bent, 1), bent_derivative), 0.5);
  } else {
    const Tensor probability = mul(add(erf(mul(x, 1 / std::numbers::sqrt2)), 1), 0.5);
    derivative = add(probability, mul(x, mul(exp(mul(squares, -0.5)), root / 2)));
  }
  step.set_grad_input(0, mul(step.grad_output(), derivative));
}

void mish_rule(Backward& step) {
  const Tensor x = step.input(0), bent = tanh(softplus(x));
  const Tensor derivative = add(bent, mul(mul(x, sigmoid(x)), sub(1, square(bent))));
  step.set_grad_input(0, mul(step.grad_output(), derivative));
}

void softplus_rule(Backward& step) {
  step.set_grad_input(0, mul(step.grad_output(), sigmoid(step.input(0))));
}

void softsign_rule(Backward& step) {
  step.set_grad_input(0, mul(step.grad_output(), square(reciprocal(add(abs(step.input(0)), 1)))));
}

void thresholded_relu_rule(Backward& step) {
  step.set_grad_input(0,
                      where(gt(step.input(0), attribute(step, "alpha", 1)), step.grad_output(), 0));
}

void shrink_rule(Backward& step) {
  const Mask passes = gt(abs(step.input(0)), attribute(step, "lambd", 0.5F));
  step.set_grad_input(0, where(passes, step.grad_output(), 0));
}

void prelu_rule(Backward& step) {
  const Tensor x = step.input(0), slope = step.input(1), g = step.grad_output();
  const Mask positive = gt(x, 0);
  if (step.needs_input_grad(0)) step.set_grad_input(0, where(positive, g, mul(g, slope)));
  if (step.needs_input_grad(1)) {
    step.set_grad_input(1, sum_to(where(positive, 0, mul(g, x)), step.input_shape(1)));
  }
}

std::int64_t axis_of(const Backward& step) { return step.attributes().get_int("axis", -1); }

void by_output(Backward& step, const EagerOp& gradient) {
  step.set_grad_input(
      0, gradient({step.grad_output(), step.output()}, attributes({{"axis", axis_of(step)}})));
}

void softmax_rule(Backward& step) { by_output(step, kSoftmaxGradient); }
void log_softmax_rule(Backward& step) { by_output(step, kLogSoftmaxGradient); }

std::vector<Tensor> softmax_gradient(const Backward& step, std::span<const Tensor> in) {
  const Tensor sums = sum(mul(in[0], in[1]), {axis_of(step)}, true);
  return {mul(in[1], sub(in[0], sums))};
}

std::vector<Tensor> log_softmax_gradient(const Backward& step, std::span<const Tensor> in) {
  return {sub(in[0], mul(exp(in[1]), sum(in[0], {axis_of(step)}, true)))};
}

std::vector<Tensor> swish(const Backward& step, std::span<const Tensor> in) {
  const Tensor x = widened(in[0]);
  return {mul(x, sigmoid(mul(x, attribute(step, "alpha", 1)))).to(in[0].dtype())};
}

constexpr RuleRow kActivationsRules[] = {
    {"Relu", relu_rule, kNothing, saves(0)},
    {"LeakyRelu", leaky_relu_rule, saves(0)},
    {"Elu", elu_rule, saves(0)},
    {"Selu", selu_rule, saves(0)},
    {"Celu", celu_rule, saves(0)},
    {"HardSigmoid", hard_sigmoid_rule, saves(0)},
    {"HardSwish", hard_swish_rule, saves(0)},
    {"Gelu", gelu_rule, saves(0)},
    {"Mish", mish_rule, saves(0)},
    {"Swish", composite_gradient<swish>, kAll},
    {"Softplus", softplus_rule, saves(0)},
    {"Softsign", softsign_rule, saves(0)},
    {"ThresholdedRelu", thresholded_relu_rule, saves(0)},
    {"Shrink", shrink_rule, saves(0)},
    {"PRelu", prelu_rule, saves(0, 1)},
    {"Softmax", softmax_rule, kNothing, saves(0)},
    {"LogSoftmax", log_softmax_rule, kNothing, saves(0)},
    {"SoftmaxGradient", composite_gradient<softmax_gradient>, kAll, kNothing, "switchyard"},
    {"LogSoftmaxGradient", composite_gradient<log_softmax_gradient>, kAll, kNothing, "switchyard"},
};

}  // namespace

std::span<const RuleRow> activation_rules() { return kActivationsRules; }

}  // namespace switchyard
