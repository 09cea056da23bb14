// How far elements lie from their mean, and from zero.
#include <algorithm>
#include <cmath>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/reductions/reduced.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kReduceL1("ReduceL1"), kReduceL2("ReduceL2");

std::int64_t count_over(const Tensor& x, const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (x.dim() > 0) count *= x.shape()[static_cast<std::size_t>(dim)];
  }
  return count;
}

/// The variance of elements that are divided by the largest distance from the mean first, whose
/// squares leave the range of the type at neither end; and that distance.
struct Spread {
  Tensor variance, unit;
};

/// In two passes; narrow types as float32.
Spread spread(std::string_view function, const Tensor& x, const Dims& dims, double correction,
              bool keepdim) {
  require_floating(function, x);
  const Dims over = reduced_dims(function, x, dims);
  const Tensor wide = as_dtype(x, wide_type(x.dtype()));
  // A mean far from 0 is rounded: what it lacks is the mean of the distances from it.
  const Tensor about = sub(wide, mean(wide, over, true));
  const Tensor centred = sub(about, mean(about, over, true));
  const double freedom = static_cast<double>(count_over(x, over)) - correction;
  const auto divided = [&](const Tensor& total) { return div(total, std::max(freedom, 0.0)); };
  if (x.size() == 0) return {divided(sum(square(centred), over, keepdim)), 1};
  const Tensor most = amax(abs(centred.detach()), over, true);
  const Mask is_usable = logical_and(gt(most, 0), isfinite(most));
  const Tensor unit = where(is_usable, most, 1);
  const Tensor total = sum(square(div(centred, unit)), over, keepdim);
  return {divided(total), reshape(unit, total.shape())};
}

/// x^exponent for x >= 0, whose derivative at 0 counts as 0.
Tensor power(const Tensor& x, double exponent) {
  const Mask flat = eq(x, 0);
  return where(flat, 0, pow(where(flat, 1, x), exponent));
}

/// (sum |x|^p)^(1/p)
Tensor power_norm(const Tensor& x, double p, const Dims& dims, bool keepdim) {
  const Tensor size = abs(x);
  const Tensor powers = p > 0 && p < 1 ? power(size, p) : pow(size, p);
  const Tensor total = sum(powers, dims, keepdim);
  return p > 0 ? power(total, 1 / p) : pow(total, 1 / p);
}

}  // namespace

Tensor var(const Tensor& x, const Dims& dims, Real correction, Flag keepdim) {
  const CalledFunction here;
  const Spread of = spread("var", x, dims, correction, keepdim);
  return as_dtype(mul(mul(of.variance, of.unit), of.unit), x.dtype());
}

Tensor std(const Tensor& x, const Dims& dims, Real correction, Flag keepdim) {
  const CalledFunction here;
  const Spread of = spread("std", x, dims, correction, keepdim);
  // No derivative at 0, rather than an infinite one.
  const Mask flat = eq(of.variance, 0);
  const Tensor root = where(flat, 0, sqrt(where(flat, 1, of.variance)));
  return as_dtype(mul(root, of.unit), x.dtype());
}

Tensor norm(const Tensor& x, Real p) {
  const CalledFunction here;
  return norm(x, p, {}, false);
}
Tensor norm(const Tensor& x, Real p, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  require_floating("norm", x);
  if (std::isinf(p)) {
    const Dims over = nonempty_dims("norm", x, dims);
    return p > 0 ? amax(abs(x), over, keepdim) : amin(abs(x), over, keepdim);
  }
  const Dims over = reduced_dims("norm", x, dims);
  if (p == 2) return reduced(kReduceL2, x, over, keepdim);
  if (p == 1) return reduced(kReduceL1, x, over, keepdim);
  if (p == 0) return sum(where(ne(x, 0), 1, mul(x, 0)), over, keepdim);  // has a gradient: zeros
  return power_norm(x, p, over, keepdim);
}

}  // namespace switchyard
