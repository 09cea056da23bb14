// Losses of numbers: how far an input is from a target of its shape.
#include <fmt/format.h>

#include <array>
#include <switchyard/autocast.hpp>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/neural/reduced_loss.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

Tensor difference(std::string_view function, const Tensor& input, const Tensor& target) {
  require_floating(function, input);
  return sub(input, target);
}

void require_shape_of(std::string_view function, const Tensor& input, const Tensor& target) {
  if (target.defined() && target.shape() == input.shape()) return;
  throw Error(
      ErrorKind::shape_mismatch,
      fmt::format("[{}] the target {} must have the shape {} of the input", function,
                  target.defined() ? describe(target.shape()) : "none", describe(input.shape())));
}

constexpr double kLeastLog = -100, kLeastVariance = 1e-12;

Tensor log_of(const Tensor& x) { return clamp(log(x), kLeastLog); }
Tensor log_of_rest(const Tensor& x) { return clamp(log1p(neg(x)), kLeastLog); }

std::vector<Tensor> binary_losses(FunctionContext& context, std::span<const Tensor> in) {
  const Tensor &x = in[0], &target = in[1];
  context.saved = {x, target};
  return {sub(mul(sub(target, 1), log_of_rest(x)), mul(target, log_of(x)))};
}

/// By the input (x - target) / (x (1 - x)), whose divisor is not 0 where x is 0 or 1: what is
/// surely wrong has a large gradient, and not that of a logarithm that is cut off.
std::vector<Tensor> binary_gradients(FunctionContext& context,
                                     std::span<const Tensor> grad_outputs) {
  const Tensor &x = context.saved[0], &target = context.saved[1];
  std::vector<Tensor> given(2);
  if (context.needs_gradient[0]) {
    const Tensor variance = clamp(mul(x, sub(1, x)), kLeastVariance);
    given[0] = div(mul(grad_outputs[0], sub(x, target)), variance);
  }
  if (context.needs_gradient[1]) {
    given[1] = mul(grad_outputs[0], sub(log_of_rest(x), log_of(x)));
  }
  return given;
}

const CustomFunction& binary_loss() {
  static const CustomFunction& function =
      *new CustomFunction{"binary_cross_entropy", binary_losses, binary_gradients};
  return function;
}

}  // namespace

Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight,
                            Reduction reduction) {
  const CalledFunction here;
  require_floating("binary_cross_entropy", input);
  require_shape_of("binary_cross_entropy", input, target);
  const Steps steps({input, target});
  const DType dtype = wide_type(result_type(input, target));
  const std::array operands{as_dtype(input, dtype), as_dtype(target, dtype)};
  Tensor losses = binary_loss()(operands)[0];
  if (!autocast_dtype()) losses = steps.rounded(losses);
  return reduced_loss(weight.defined() ? mul(losses, weight) : losses, reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const Tensor& weight, const Tensor& pos_weight,
                                        Reduction reduction) {
  const CalledFunction here;
  require_floating("binary_cross_entropy_with_logits", input);
  require_shape_of("binary_cross_entropy_with_logits", input, target);
  // max(x, 0) - x target + log(1 + exp(-|x|)): what is surely right keeps the digits of its small
  // loss, and of its gradient.
  const Tensor rest = softplus(neg(abs(input)));
  const Tensor above = maximum(input, 0);
  Tensor losses;
  if (pos_weight.defined()) {
    const Tensor of_false = mul(sub(1, target), above);
    const Tensor of_true = mul(mul(target, pos_weight), maximum(neg(input), 0));
    const Tensor factor = add(mul(sub(pos_weight, 1), target), 1);
    losses = add(add(of_false, of_true), mul(factor, rest));
  } else {
    losses = add(sub(above, mul(input, target)), rest);
  }
  return reduced_loss(weight.defined() ? mul(losses, weight) : losses, reduction);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  const CalledFunction here;
  return reduced_loss(square(difference("mse_loss", input, target)), reduction);
}

Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  const CalledFunction here;
  return reduced_loss(abs(difference("l1_loss", input, target)), reduction);
}

/// With c the difference d cut to [-delta, delta], c (d - c / 2) is both of its branches at once.
Tensor huber_loss(const Tensor& input, const Tensor& target, Real delta, Reduction reduction) {
  const CalledFunction here;
  if (!(delta > 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[huber_loss] delta is {}; it must be more than 0", delta));
  }
  const Tensor apart = difference("huber_loss", input, target);
  const Tensor cut = clamp(apart, -double{delta}, double{delta});
  return reduced_loss(mul(cut, sub(apart, mul(cut, 0.5))), reduction);
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, Real beta, Reduction reduction) {
  const CalledFunction here;
  if (!(beta >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[smooth_l1_loss] beta is {}; it may not be negative", beta));
  }
  if (beta == 0) return l1_loss(input, target, reduction);
  return div(huber_loss(input, target, beta, reduction), double{beta});
}

/// 0 log 0 is 0.
Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction, Flag log_target) {
  const CalledFunction here;
  require_floating("kl_div", input);
  require_floating("kl_div", target);
  if (log_target) return reduced_loss(mul(exp(target), sub(target, input)), reduction);
  const Tensor entropy = mul(target, log(where(eq(target, 0), 1, target)));
  return reduced_loss(sub(entropy, mul(target, input)), reduction);
}

}  // namespace switchyard
