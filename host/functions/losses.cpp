// Losses of numbers: how far an input is from a target of its shape.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/numbers.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

Tensor reduced(const Tensor& losses, Reduction reduction) {
  if (reduction == Reduction::none) return losses;
  return reduction == Reduction::mean ? mean(losses) : sum(losses);
}

Tensor difference(std::string_view function, const Tensor& input, const Tensor& target) {
  require_floating(function, input);
  return sub(input, target);
}

}  // namespace

Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const Tensor& weight, const Tensor& pos_weight,
                                        Reduction reduction) {
  require_floating("binary_cross_entropy_with_logits", input);
  if (!target || target.shape() != input.shape()) {
    throw Error(ErrorKind::usage,
                fmt::format("[binary_cross_entropy_with_logits] the target {} must have the shape "
                            "{} of the input",
                            target ? describe(target.shape()) : "none", describe(input.shape())));
  }
  Tensor losses;
  if (pos_weight) {
    const Tensor of_true = add(mul(sub(pos_weight, 1), target), 1);
    losses = add(mul(sub(1, target), input), mul(of_true, softplus(neg(input))));
  } else {
    losses = sub(softplus(input), mul(input, target));
  }
  return reduced(weight ? mul(losses, weight) : losses, reduction);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  return reduced(square(difference("mse_loss", input, target)), reduction);
}

Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  return reduced(abs(difference("l1_loss", input, target)), reduction);
}

/// With c the difference d cut to [-delta, delta], c (d - c / 2) is both of its branches at once.
Tensor huber_loss(const Tensor& input, const Tensor& target, double delta, Reduction reduction) {
  if (!(delta > 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("[huber_loss] delta is {}; it must be more than 0", delta));
  }
  const Tensor apart = difference("huber_loss", input, target);
  const Tensor cut = clamp(apart, -delta, delta);
  return reduced(mul(cut, sub(apart, mul(cut, 0.5))), reduction);
}

Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, double beta, Reduction reduction) {
  if (!(beta >= 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("[smooth_l1_loss] beta is {}; it may not be negative", beta));
  }
  if (beta == 0) return l1_loss(input, target, reduction);
  return div(huber_loss(input, target, beta, reduction), beta);
}

/// 0 log 0 is 0.
Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction, bool log_target) {
  require_floating("kl_div", input);
  require_floating("kl_div", target);
  if (log_target) return reduced(mul(exp(target), sub(target, input)), reduction);
  const Tensor entropy = mul(target, log(where(eq(target, 0), 1, target)));
  return reduced(sub(entropy, mul(target, input)), reduction);
}

}  // namespace switchyard
