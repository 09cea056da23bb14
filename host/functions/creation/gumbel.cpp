// Shares drawn at random.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"

namespace switchyard {
namespace {

/// Ones where the shares are largest along the dimension, else zeros, with the shares' gradient.
Tensor hardened(const Tensor& shares, std::int64_t dim) {
  const Tensor known = shares.detach();
  const Tensor chosen = scatter(zeros_like(known), dim, argmax(known, dim, true), 1);
  return add(chosen, sub(shares, known));
}

}  // namespace

Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxOptions& options) {
  const CalledFunction here;
  require_floating("gumbel_softmax", logits);
  const std::int64_t dim = normalize_axis("gumbel_softmax", options.dim, logits.dim());
  if (!(options.tau > 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[gumbel_softmax] tau is {}; it must be above 0", double{options.tau}));
  }
  const Tensor wide = as_dtype(logits, wide_type(logits.dtype()));
  // Neither 0 nor 1, whose noise would be infinite.
  const Tensor uniform = clamp(rand_like(wide.detach()), 0x1p-25, 1 - 0x1p-24);
  const Tensor noise = neg(log(neg(log(uniform))));
  const Tensor shares = softmax(div(add(wide, noise), double{options.tau}), dim);
  return as_dtype(options.hard ? hardened(shares, dim) : shares, logits.dtype());
}

}  // namespace switchyard
