// Functions of one tensor, element by element.
#include <cmath>
#include <limits>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kAbs("Abs"), kNeg("Neg"), kSign("Sign"), kSqrt("Sqrt"),
    kReciprocal("Reciprocal"), kExp("Exp"), kLog("Log"), kSin("Sin"), kCos("Cos"), kTan("Tan"),
    kAsin("Asin"), kAcos("Acos"), kAtan("Atan"), kSinh("Sinh"), kCosh("Cosh"), kTanh("Tanh"),
    kAsinh("Asinh"), kAcosh("Acosh"), kAtanh("Atanh"), kErf("Erf"), kFloor("Floor"), kCeil("Ceil"),
    kRound("Round"), kIsNaN("IsNaN"), kIsInf("IsInf"), kExp2("Exp2", "switchyard"),
    kExpm1("Expm1", "switchyard"), kLog1p("Log1p", "switchyard"), kLog2("Log2", "switchyard"),
    kLog10("Log10", "switchyard"), kRsqrt("Rsqrt", "switchyard"), kTrunc("Trunc", "switchyard"),
    kFrac("Frac", "switchyard"), kErfc("Erfc", "switchyard"), kErfinv("Erfinv", "switchyard"),
    kLgamma("Lgamma", "switchyard"), kDigamma("Digamma", "switchyard");

/// For the function that calls it.
Tensor floating(const EagerOp& op, const Tensor& x, const char* function = __builtin_FUNCTION()) {
  const CalledFunction here(function);
  return op(as_floating(x));
}

/// The same; rounding leaves integers as they are.
Tensor rounding(const EagerOp& op, const Tensor& x, const char* function = __builtin_FUNCTION()) {
  const CalledFunction here(function);
  return is_floating(x.dtype()) ? op(x) : x.clone();
}

bool is_bool(const Tensor& x) { return x.dtype() == DType::bool_; }

Tensor falses_like(const Tensor& x) { return full_like(x, false, {.dtype = DType::bool_}); }

}  // namespace

Tensor abs(const Tensor& x) {
  const CalledFunction here;
  return is_bool(x) ? x.clone() : kAbs(x);
}
Tensor neg(const Tensor& x) {
  const CalledFunction here;
  return is_unsigned(x.dtype()) ? sub(0, x) : kNeg(x);
}
Tensor sign(const Tensor& x) {
  const CalledFunction here;
  return is_bool(x) ? x.clone() : kSign(x);
}
Tensor square(const Tensor& x) {
  const CalledFunction here;
  return is_bool(x) ? as_dtype(x, DType::int64) : mul(x, x);
}
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
Tensor erfc(const Tensor& x) { return floating(kErfc, x); }
Tensor erfinv(const Tensor& x) { return floating(kErfinv, x); }
Tensor lgamma(const Tensor& x) { return floating(kLgamma, x); }
Tensor digamma(const Tensor& x) { return floating(kDigamma, x); }
Tensor floor(const Tensor& x) { return rounding(kFloor, x); }
Tensor ceil(const Tensor& x) { return rounding(kCeil, x); }
Tensor round(const Tensor& x) { return rounding(kRound, x); }
Tensor trunc(const Tensor& x) { return rounding(kTrunc, x); }
Tensor frac(const Tensor& x) {
  const CalledFunction here;
  return is_floating(x.dtype()) ? kFrac(x) : sub(x, x);
}

Mask isnan(const Tensor& x) {
  const CalledFunction here;
  return Mask(is_floating(x.dtype()) ? kIsNaN(x) : falses_like(x));
}
Mask isinf(const Tensor& x) {
  const CalledFunction here;
  return Mask(is_floating(x.dtype()) ? kIsInf({x}) : falses_like(x));
}
Mask isfinite(const Tensor& x) {
  const CalledFunction here;
  return logical_not(logical_or(isnan(x), isinf(x)));
}

Tensor nan_to_num(const Tensor& x, Real nan) {
  const CalledFunction here;
  if (!is_floating(x.dtype())) return x.clone();
  const double most = x.dtype() == DType::float64    ? std::numeric_limits<double>::max()
                      : x.dtype() == DType::float16  ? 65504
                      : x.dtype() == DType::bfloat16 ? 0x1.FEp127
                                                     : double{std::numeric_limits<float>::max()};
  return clamp(masked_fill(x, isnan(x), double{nan}), -most, most);
}

}  // namespace switchyard
