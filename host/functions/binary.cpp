// Arithmetic of two tensors.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/promotion.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kAdd("Add"), kSub("Sub"), kMul("Mul"), kDiv("Div"), kMod("Mod"),
    kPow("Pow"), kMax("Max"), kMin("Min"), kOr("Or"), kAnd("And");

bool are_bools(const Tensor& a, const Tensor& b) {
  return a && b && a.dtype() == DType::bool_ && b.dtype() == DType::bool_;
}

Tensor scaled(const Tensor& b, const Tensor& alpha) { return alpha ? mul(b, alpha) : b; }

Tensor fmod_of(const Pair& pair) {
  return kMod({pair.a, pair.b}, attributes({{"fmod", std::int64_t{1}}}));
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (are_bools(a, b)) return kOr(a, b);
  return call_promoted(kAdd, a, scaled(b, alpha));
}

Tensor sub(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (are_bools(a, b)) {
    throw Error(ErrorKind::usage,
                "[sub] does not subtract bools; use logical_xor, or convert one of them");
  }
  return call_promoted(kSub, a, scaled(b, alpha));
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
  const Tensor wrong_sign = logical_and(ne(rest, 0), ne(lt(rest, 0), lt(pair.b, 0)));
  return where(wrong_sign, add(rest, pair.b), rest);
}

Tensor floor_divide(const Tensor& a, const Tensor& b) {
  const Pair pair = promoted(a, b);
  if (is_floating(pair.a.dtype())) return floor(kDiv(pair.a, pair.b));
  return kDiv(sub(pair.a, kMod(pair.a, pair.b)), pair.b);
}

Tensor pow(const Tensor& base, const Tensor& exponent) {
  return call_promoted(kPow, base, exponent);
}

Tensor maximum(const Tensor& a, const Tensor& b) { return call_promoted(kMax, a, b); }
Tensor minimum(const Tensor& a, const Tensor& b) { return call_promoted(kMin, a, b); }

Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
  return add(start, mul(weight, sub(end, start)));
}

Tensor addcmul(const Tensor& input, const Tensor& a, const Tensor& b, double value) {
  const Tensor product = mul(a, b);
  return add(input, value == 1 ? product : mul(product, value));
}

Tensor addcdiv(const Tensor& input, const Tensor& a, const Tensor& b, double value) {
  const Tensor quotient = div(a, b);
  return add(input, value == 1 ? quotient : mul(quotient, value));
}

}  // namespace switchyard
