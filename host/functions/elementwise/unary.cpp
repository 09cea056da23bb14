// Functions of one tensor, element by element.
#include <cmath>
#include <limits>
#include <numbers>
#include <switchyard/functions.hpp>

#include "functions/calls/promotion.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kAbs("Abs"), kNeg("Neg"), kSign("Sign"), kSqrt("Sqrt"),
    kReciprocal("Reciprocal"), kExp("Exp"), kLog("Log"), kSin("Sin"), kCos("Cos"), kTan("Tan"),
    kAsin("Asin"), kAcos("Acos"), kAtan("Atan"), kSinh("Sinh"), kCosh("Cosh"), kTanh("Tanh"),
    kAsinh("Asinh"), kAcosh("Acosh"), kAtanh("Atanh"), kErf("Erf"), kFloor("Floor"), kCeil("Ceil"),
    kRound("Round"), kIsNaN("IsNaN"), kIsInf("IsInf");

Tensor floating(const ContractOp& op, const Tensor& x) { return op(as_floating(x)); }

/// Rounding leaves integers as they are.
Tensor rounding(const ContractOp& op, const Tensor& x) {
  return is_floating(x.dtype()) ? op(x) : x.clone();
}

bool is_bool(const Tensor& x) { return x.dtype() == DType::bool_; }

/// The whole power of the base that is nearest, and the logarithm of how far x is from it: exact at
/// powers of the base. Narrow types as float32.
Tensor log_of_base(const Tensor& given, int base) {
  const Tensor x = as_floating(given);
  const bool is_wide = x.dtype() == DType::float64;
  if (!is_wide && x.dtype() != DType::float32) {
    return as_dtype(log_of_base(as_dtype(x, DType::float32), base), x.dtype());
  }
  const int most = base == 2 ? (is_wide ? 1023 : 127) : (is_wide ? 308 : 38);
  const double factor = base == 2 ? std::numbers::log2e : std::numbers::log10e;
  const Tensor rough = mul(log(x.detach()), factor);
  const Mask is_finite = lt(abs(rough), std::numeric_limits<double>::infinity());
  const Tensor whole = where(is_finite, clamp(round(rough), -most, most), 0);
  const Tensor power = pow(number(double(base), x.dtype()), abs(whole));
  const Tensor rest = where(lt(whole, 0), mul(x, power), div(x, power));
  return add(whole, mul(log(rest), factor));
}

Tensor falses_like(const Tensor& x) { return full_like(x, false, {.dtype = DType::bool_}); }

}  // namespace

Tensor abs(const Tensor& x) { return is_bool(x) ? x.clone() : kAbs(x); }
Tensor neg(const Tensor& x) { return is_unsigned(x.dtype()) ? sub(0, x) : kNeg(x); }
Tensor sign(const Tensor& x) { return is_bool(x) ? x.clone() : kSign(x); }
Tensor square(const Tensor& x) { return is_bool(x) ? as_dtype(x, DType::int64) : mul(x, x); }
Tensor sqrt(const Tensor& x) { return floating(kSqrt, x); }
Tensor rsqrt(const Tensor& x) { return reciprocal(sqrt(x)); }
Tensor reciprocal(const Tensor& x) { return floating(kReciprocal, x); }
Tensor exp(const Tensor& x) { return floating(kExp, x); }
Tensor exp2(const Tensor& x) { return pow(number(2.0, floating_dtype(x)), as_floating(x)); }
Tensor log(const Tensor& x) { return floating(kLog, x); }
Tensor log2(const Tensor& x) { return log_of_base(x, 2); }
Tensor log10(const Tensor& x) { return log_of_base(x, 10); }
Tensor sin(const Tensor& x) { return floating(kSin, x); }
Tensor cos(const Tensor& x) { return floating(kCos, x); }
Tensor tan(const Tensor& x) { return floating(kTan, x); }
Tensor asin(const Tensor& x) { return floating(kAsin, x); }
Tensor acos(const Tensor& x) { return floating(kAcos, x); }
Tensor atan(const Tensor& x) { return floating(kAtan, x); }
Tensor sinh(const Tensor& x) { return floating(kSinh, x); }
Tensor cosh(const Tensor& x) { return floating(kCosh, x); }
Tensor tanh(const Tensor& x) { return floating(kTanh, x); }
Tensor asinh(const Tensor& x) { return floating(kAsinh, x); }
Tensor acosh(const Tensor& x) { return floating(kAcosh, x); }
Tensor atanh(const Tensor& x) { return floating(kAtanh, x); }
Tensor erf(const Tensor& x) { return floating(kErf, x); }
Tensor floor(const Tensor& x) { return rounding(kFloor, x); }
Tensor ceil(const Tensor& x) { return rounding(kCeil, x); }
Tensor round(const Tensor& x) { return rounding(kRound, x); }
Tensor trunc(const Tensor& x) {
  return is_floating(x.dtype()) ? mul(sign(x), floor(abs(x))) : x.clone();
}
Tensor frac(const Tensor& x) { return sub(x, trunc(x)); }

/// Near 0, where exp(x) - 1 cancels: 2 tanh(x / 2) / (1 - tanh(x / 2)).
Tensor expm1(const Tensor& given) {
  const Tensor x = as_floating(given);
  const Tensor is_small = lt(abs(x), 0.5);
  const Tensor half = tanh(mul(where(is_small, x, 0), 0.5));
  return where(is_small, div(mul(half, 2), sub(1, half)), sub(exp(x), 1));
}

/// Near 0, where 1 + x loses digits: 2 atanh(x / (2 + x)).
Tensor log1p(const Tensor& given) {
  const Tensor x = as_floating(given);
  const Tensor is_small = lt(abs(x), 0.5);
  const Tensor small = where(is_small, x, 0);
  return where(is_small, mul(atanh(div(small, add(small, 2))), 2),
               log(add(where(is_small, 0, x), 1)));
}

Tensor atan2(const Tensor& y_given, const Tensor& x_given) {
  const Operands given = floating_operands(y_given, x_given);
  const DType dtype = wide_type(given.result);
  const Pair pair{as_dtype(given.a, dtype), as_dtype(given.b, dtype)};
  // Two infinities are as far as each other.
  const Tensor both_infinite = logical_and(isinf(pair.a), isinf(pair.b));
  const Tensor y = where(both_infinite, sign(pair.a), pair.a);
  const Tensor x = where(both_infinite, sign(pair.b), pair.b);
  // The quotient of the smaller by the larger, so that neither overflows; then turned into place.
  const Tensor steep = gt(abs(y), abs(x));
  const Tensor both_zero = logical_and(eq(x, 0), eq(y, 0));
  const Tensor below = where(both_zero, 1, where(steep, y, x));
  const Tensor angle = atan(div(where(steep, x, y), below));
  // The sign of a zero counts: 1 / -0 is negative.
  const auto is_negative = [](const Tensor& v) {
    return logical_or(lt(v, 0), logical_and(eq(v, 0), lt(reciprocal(v.detach()), 0)));
  };
  const Tensor side = as_dtype(where(is_negative(y), -1, 1), dtype);
  const Tensor flat = where(is_negative(x), add(angle, mul(side, std::numbers::pi)), angle);
  const Tensor made = where(steep, sub(mul(side, std::numbers::pi / 2), angle), flat);
  return as_dtype(made, given.result);
}

Mask isnan(const Tensor& x) { return Mask(is_floating(x.dtype()) ? kIsNaN(x) : falses_like(x)); }
Mask isinf(const Tensor& x) { return Mask(is_floating(x.dtype()) ? kIsInf({x}) : falses_like(x)); }
Mask isfinite(const Tensor& x) { return logical_not(logical_or(isnan(x), isinf(x))); }

Tensor nan_to_num(const Tensor& x, double nan) {
  if (!is_floating(x.dtype())) return x.clone();
  const double most = x.dtype() == DType::float64    ? std::numeric_limits<double>::max()
                      : x.dtype() == DType::float16  ? 65504
                      : x.dtype() == DType::bfloat16 ? 0x1.FEp127
                                                     : double{std::numeric_limits<float>::max()};
  return clamp(masked_fill(x, isnan(x), nan), -most, most);
}

}  // namespace switchyard
