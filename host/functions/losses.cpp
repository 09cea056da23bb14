// Losses of numbers: how far an input is from a target of its shape.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/numbers.hpp"
#include "functions/reduced_loss.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

Tensor difference(std::string_view function, const Tensor& input, const Tensor& target) {
  require_floating(function, input);
  return sub(input, target);
}

void require_shape_of(std::string_view function, const Tensor& input, const Tensor& target) {
  if (target && target.shape() == input.shape()) return;
  throw Error(ErrorKind::usage,
              fmt::format("[{}] the target {} must have the shape {} of the input", function,
                          target ? describe(target.shape()) : "none", describe(input.shape())));
}

/// At least -100. The slope is 0 where it is cut, at 0 too, where that of log() is infinite.
Tensor cut_log(const Tensor& x) {
  const Tensor is_zero = eq(x, 0);
  return clamp(where(is_zero, -100, log(where(is_zero, 1, x))), -100);
}

}  // namespace

Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight,
                            Reduction reduction) {
  require_floating("binary_cross_entropy", input);
  require_shape_of("binary_cross_entropy", input, target);
  const Tensor of_true = mul(target, cut_log(input));
  const Tensor losses = neg(add(of_true, mul(sub(1, target), cut_log(sub(1, input)))));
  return reduced_loss(weight ? mul(losses, weight) : losses, reduction);
}

Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const Tensor& weight, const Tensor& pos_weight,
                                        Reduction reduction) {
  require_floating("binary_cross_entropy_with_logits", input);
  require_shape_of("binary_cross_entropy_with_logits", input, target);
  Tensor losses;
  if (pos_weight) {
    const Tensor of_true = add(mul(sub(pos_weight, 1), target), 1);
    losses = add(mul(sub(1, target), input), mul(of_true, softplus(neg(input))));
  } else {
    losses = sub(softplus(input), mul(input, target));
  }
  return reduced_loss(weight ? mul(losses, weight) : losses, reduction);
}

Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  return reduced_loss(square(difference("mse_loss", input, target)), reduction);
}

Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction) {
  return reduced_loss(abs(difference("l1_loss", input, target)), reduction);
}

/// With c the difference d cut to [-delta, delta], c (d - c / 2) is both of its branches at once.
Tensor huber_loss(const Tensor& input, const Tensor& target, double delta, Reduction reduction) {
  if (!(delta > 0)) {
    throw Error(ErrorKind::usage,
                fmt::format("[huber_loss] delta is {}; it must be more than 0", delta));
  }
  const Tensor apart = difference("huber_loss", input, target);
  const Tensor cut = clamp(apart, -delta, delta);
  return reduced_loss(mul(cut, sub(apart, mul(cut, 0.5))), reduction);
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
  if (log_target) return reduced_loss(mul(exp(target), sub(target, input)), reduction);
  const Tensor entropy = mul(target, log(where(eq(target, 0), 1, target)));
  return reduced_loss(sub(entropy, mul(target, input)), reduction);
}

}  // namespace switchyard
