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
    kRound("Round"), kIsNaN("IsNaN"), kIsInf("IsInf"), kExp2("Exp2", "switchyard"),
    kExpm1("Expm1", "switchyard"), kLog1p("Log1p", "switchyard"), kLog2("Log2", "switchyard"),
    kLog10("Log10", "switchyard"), kRsqrt("Rsqrt", "switchyard"), kTrunc("Trunc", "switchyard");

Tensor floating(const ContractOp& op, const Tensor& x) { return op(as_floating(x)); }

/// Rounding leaves integers as they are.
Tensor rounding(const ContractOp& op, const Tensor& x) {
  return is_floating(x.dtype()) ? op(x) : x.clone();
}

bool is_bool(const Tensor& x) { return x.dtype() == DType::bool_; }

Tensor falses_like(const Tensor& x) { return full_like(x, false, {.dtype = DType::bool_}); }

}  // namespace

Tensor abs(const Tensor& x) { return is_bool(x) ? x.clone() : kAbs(x); }
Tensor neg(const Tensor& x) { return is_unsigned(x.dtype()) ? sub(0, x) : kNeg(x); }
Tensor sign(const Tensor& x) { return is_bool(x) ? x.clone() : kSign(x); }
Tensor square(const Tensor& x) { return is_bool(x) ? as_dtype(x, DType::int64) : mul(x, x); }
Tensor sqrt(const Tensor& x) { return floating(kSqrt, x); }
Tensor rsqrt(const Tensor& x) { return floating(kRsqrt, x); }
Tensor reciprocal(const Tensor& x) { return floating(kReciprocal, x); }
Tensor exp(const Tensor& x) { return floating(kExp, x); }
Tensor exp2(const Tensor& x) { return floating(kExp2, x); }
Tensor expm1(const Tensor& x) { return floating(kExpm1, x); }
Tensor log(const Tensor& x) { return floating(kLog, x); }
Tensor log1p(const Tensor& x) { return floating(kLog1p, x); }
Tensor log2(const Tensor& x) { return floating(kLog2, x); }
Tensor log10(const Tensor& x) { return floating(kLog10, x); }
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
Tensor trunc(const Tensor& x) { return rounding(kTrunc, x); }
Tensor frac(const Tensor& x) { return sub(x, trunc(x)); }

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
