// Arithmetic of two tensors.
#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/promotion.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kAdd("Add"), kSub("Sub"), kMul("Mul"), kDiv("Div"), kMod("Mod"),
    kPow("Pow"), kMax("Max"), kMin("Min"), kOr("Or"), kAnd("And");

bool are_bools(const Tensor& a, const Tensor& b) {
  return a && b && a.impl()->dtype == DType::bool_ && b.impl()->dtype == DType::bool_;
}

Tensor scaled(std::string_view function, const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (is_floating(alpha.dtype()) && !is_floating(result_type(a, b))) {
    throw Error(ErrorKind::usage,
                fmt::format("[{}] alpha is a floating-point number beside {} and {}; give an "
                            "integer, or convert one of them",
                            function, name_of(a.dtype()), name_of(b.dtype())));
  }
  return mul(b, alpha);
}

/// By a number of the same category, so that whole numbers stay whole.
Tensor scaled(const Tensor& product, double value) {
  if (value == 1) return product;
  if (is_floating(product.dtype()) || value != std::trunc(value)) return mul(product, value);
  return mul(product, static_cast<std::int64_t>(value));
}

Tensor fmod_of(const Pair& pair) {
  return kMod({pair.a, pair.b}, attributes({{"fmod", std::int64_t{1}}}));
}

/// Where a remainder as in C is not that of Python.
Tensor has_wrong_sign(const Tensor& rest, const Tensor& divisor) {
  return logical_and(ne(rest, 0), ne(lt(rest, 0), lt(divisor, 0)));
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (are_bools(a, b)) return kOr(a, b);
  if (!alpha) [[likely]]
    return call_promoted(kAdd, a, b);
  return call_promoted(kAdd, a, scaled("add", a, b, alpha));
}

Tensor sub(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (are_bools(a, b)) {
    throw Error(ErrorKind::usage,
                "[sub] does not subtract bools; use logical_xor, or convert one of them");
  }
  if (!alpha) [[likely]]
    return call_promoted(kSub, a, b);
  return call_promoted(kSub, a, scaled("sub", a, b, alpha));
}

Tensor mul(const Tensor& a, const Tensor& b) {
  if (are_bools(a, b)) return kAnd(a, b);
  return call_promoted(kMul, a, b);
}

Tensor div(const Tensor& a, const Tensor& b) {
  const Pair pair = promoted_floating(a, b);
  return kDiv(pair.a, pair.b);
}

Tensor fmod(const Tensor& a, const Tensor& b) { return fmod_of(promoted(a, b)); }

Tensor remainder(const Tensor& a, const Tensor& b) {
  const Pair pair = promoted(a, b);
  if (!is_floating(pair.a.dtype())) return kMod(pair.a, pair.b);
  const Tensor rest = fmod_of(pair);
  return where(has_wrong_sign(rest, pair.b), add(rest, pair.b), rest);
}

/// From the exact remainder, as the rounded quotient may already be the next integer.
Tensor floor_divide(const Tensor& a, const Tensor& b) {
  const Pair pair = promoted(a, b);
  const DType dtype = pair.a.dtype();
  const Tensor rest = fmod_of(pair);
  const Tensor one_less = as_dtype(has_wrong_sign(rest, pair.b), dtype);
  if (!is_floating(dtype)) return sub(kDiv(pair.a, pair.b), one_less);
  const Tensor whole = round(sub(kDiv(sub(pair.a, rest), pair.b), one_less));
  return where(eq(pair.b, 0), floor(kDiv(pair.a, pair.b)), whole);
}

Tensor pow(const Tensor& base, const Tensor& exponent) {
  if (is_number(exponent) && is_integer(exponent.dtype()) && !is_floating(base.dtype()) &&
      number_value(exponent) < 0) {
    throw Error(ErrorKind::usage,
                fmt::format("[pow] {} elements to the power {} are no integers; convert them to a "
                            "floating-point type first",
                            name_of(base.dtype()), number_value(exponent)));
  }
  return call_promoted(kPow, base, exponent);
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  return are_bools(a, b) ? kOr(a, b) : call_promoted(kMax, a, b);
}
Tensor minimum(const Tensor& a, const Tensor& b) {
  return are_bools(a, b) ? kAnd(a, b) : call_promoted(kMin, a, b);
}

Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
  return add(start, mul(weight, sub(end, start)));
}

Tensor addcmul(const Tensor& input, const Tensor& a, const Tensor& b, double value) {
  return add(input, scaled(mul(a, b), value));
}

Tensor addcdiv(const Tensor& input, const Tensor& a, const Tensor& b, double value) {
  return add(input, scaled(div(a, b), value));
}

}  // namespace switchyard
