// How far elements lie from their mean, and from zero.
#include <algorithm>
#include <cmath>
#include <switchyard/functions.hpp>

#include "functions/numbers.hpp"
#include "functions/reduced.hpp"
#include "functions/require.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kReduceL1("ReduceL1"), kReduceL2("ReduceL2");

std::int64_t count_over(const Tensor& x, const Dims& dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims) {
    if (x.dim() > 0) count *= x.shape()[static_cast<std::size_t>(dim)];
  }
  return count;
}

bool is_narrow(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }

/// In two passes; narrow types as float32, since squares leave their range long before the
/// variance does.
Tensor variance(std::string_view function, const Tensor& x, const Dims& dims, double correction,
                bool keepdim) {
  require_floating(function, x);
  const Dims over = reduced_dims(function, x, dims);
  const Tensor wide = is_narrow(x.dtype()) ? as_dtype(x, DType::float32) : x;
  const Tensor centre = mean(wide, over, true);
  const Tensor squares = square(sub(wide, centre));
  const double freedom = static_cast<double>(count_over(x, over)) - correction;
  return div(sum(squares, over, keepdim), std::max(freedom, 0.0));
}

/// x^exponent for x >= 0, whose slope at 0 counts as 0.
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

Tensor var(const Tensor& x, const Dims& dims, double correction, bool keepdim) {
  return as_dtype(variance("var", x, dims, correction, keepdim), x.dtype());
}

Tensor std(const Tensor& x, const Dims& dims, double correction, bool keepdim) {
  const Tensor square_of_it = variance("std", x, dims, correction, keepdim);
  // No slope at 0, rather than an infinite one.
  const Mask flat = eq(square_of_it, 0);
  return as_dtype(where(flat, 0, sqrt(where(flat, 1, square_of_it))), x.dtype());
}

Tensor norm(const Tensor& x, double p) { return norm(x, p, {}, false); }
Tensor norm(const Tensor& x, double p, const Dims& dims, bool keepdim) {
  require_floating("norm", x);
  if (std::isinf(p)) {
    const Dims over = nonempty_dims("norm", x, dims);
    return p > 0 ? amax(abs(x), over, keepdim) : amin(abs(x), over, keepdim);
  }
  const Dims over = reduced_dims("norm", x, dims);
  if (p == 2) return reduced(kReduceL2, x, over, keepdim);
  if (p == 1) return reduced(kReduceL1, x, over, keepdim);
  if (p == 0) return sum(as_dtype(ne(x, 0), x.dtype()), over, keepdim);
  return power_norm(x, p, over, keepdim);
}

}  // namespace switchyard
