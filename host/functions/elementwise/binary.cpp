// Arithmetic of two tensors.
#include <fmt/format.h>

#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "device/open_device.hpp"
#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kAdd("Add"), kSub("Sub"), kMul("Mul"), kDiv("Div"), kMod("Mod"),
    kPow("Pow"), kMax("Max"), kMin("Min"), kOr("Or"), kAnd("And"),
    kFloorDivide("FloorDivide", "switchyard"), kAtan2("Atan2", "switchyard"),
    kHypot("Hypot", "switchyard"), kLogAddExp("LogAddExp", "switchyard"),
    kRemainder("Remainder", "switchyard");

bool are_bools(const Tensor& a, const Tensor& b) {
  return a.defined() && b.defined() && a.impl()->dtype == DType::bool_ &&
         b.impl()->dtype == DType::bool_;
}

std::int64_t integer_of(const Tensor& number) {
  return as_dtype(number, DType::int64).item<std::int64_t>();
}

Tensor fmod_of(const Operands& given) {
  return kMod({given.a, given.b}, attributes({{"fmod", std::int64_t{1}}}));
}

Tensor call_floating(const EagerOp& op, const Tensor& a, const Tensor& b) {
  const Operands given = floating_operands(a, b);
  return given.rounded(op(given.a, given.b));
}

/// The op of `a` and of `alpha` times `b`.
Tensor call_scaled(std::string_view function, const EagerOp& op, const Tensor& a, const Tensor& b,
                   const Tensor& alpha) {
  if (is_one(alpha)) {
    return call_promoted(op, a, scaled(function, a, b, alpha));
  }
  const Steps steps({a, b, alpha});
  const Tensor left = steps.operand(a), right = steps.operand(b);
  return steps.rounded(call_promoted(op, left, scaled(function, left, right, alpha)));
}

/// Whether elements can be read without waiting for a device.
bool is_at_hand(const Tensor& x) {
  return !x.impl()->device || x.impl()->device->stream().synchronous();
}

/// Integers have no quotient by 0. A device that computes later would have to be waited for.
void refuse_zeros(std::string_view function, const Operands& given) {
  if (is_floating(given.result) || given.a.size() == 0 || !is_at_hand(given.b)) return;
  const bool has_zeros =
      is_number(given.b) ? number_value(given.b) == 0 : any(eq(given.b, 0)).item<bool>();
  if (!has_zeros) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] divides {} by 0, for which integers have no result; replace the "
                          "zeros with where(), or convert to a floating-point type",
                          function, name_of(given.result)));
}

/// One of both, so a number must be one of the elements' own.
Tensor extreme(std::string_view function, const EagerOp& op, const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  return op(as_bound(function, a, dtype), as_bound(function, b, dtype));
}

}  // namespace

Tensor scaled(std::string_view function, const Tensor& a, const Tensor& b, const Tensor& alpha) {
  if (!alpha.defined()) return b;
  const DType result = result_type(a, b);
  if (is_floating(alpha.dtype()) && !is_floating(result)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] alpha is a floating-point number beside {} and {}; give an "
                            "integer, or convert one of them",
                            function, name_of(a.dtype()), name_of(b.dtype())));
  }
  if (is_one(alpha)) return b;
  if (!is_number(b) || !is_number(alpha)) return mul(as_dtype(b, result), alpha);
  if (is_floating(result)) return number_value(b) * number_value(alpha);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(integer_of(b)) *
                                   static_cast<std::uint64_t>(integer_of(alpha)));
}

Tensor scaled(const Tensor& product, double value) {
  if (value == 1) return product;
  if (is_floating(product.dtype()) || value != std::trunc(value)) return mul(product, value);
  return mul(product, static_cast<std::int64_t>(value));
}

Tensor add(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  const CalledFunction here;
  if (are_bools(a, b)) return kOr(a, scaled("add", a, b, alpha).to(DType::bool_));
  if (!alpha.defined()) [[likely]]
    return call_promoted(kAdd, a, b);
  return call_scaled("add", kAdd, a, b, alpha);
}

Tensor sub(const Tensor& a, const Tensor& b, const Tensor& alpha) {
  const CalledFunction here;
  if (are_bools(a, b)) {
    throw Error(ErrorKind::invalid_argument,
                "[sub] does not subtract bools; use logical_xor, or convert one of them");
  }
  if (!alpha.defined()) [[likely]]
    return call_promoted(kSub, a, b);
  return call_scaled("sub", kSub, a, b, alpha);
}

Tensor mul(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  if (are_bools(a, b)) return kAnd(a, b);
  return call_promoted(kMul, a, b);
}

Tensor div(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return call_floating(kDiv, a, b);
}

Tensor fmod(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const Operands given = operands(a, b);
  refuse_zeros("fmod", given);
  return given.rounded(fmod_of(given));
}

Tensor remainder(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const Operands given = operands(a, b);
  refuse_zeros("remainder", given);
  if (!is_floating(given.result)) return kMod(given.a, given.b);
  return given.rounded(kRemainder(given.a, given.b));
}

Tensor floor_divide(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const Operands given = operands(a, b);
  refuse_zeros("floor_divide", given);
  return given.rounded(kFloorDivide(given.a, given.b));
}

Tensor atan2(const Tensor& y, const Tensor& x) {
  const CalledFunction here;
  return call_floating(kAtan2, y, x);
}
Tensor hypot(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return call_floating(kHypot, a, b);
}
Tensor logaddexp(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return call_floating(kLogAddExp, a, b);
}

Tensor pow(const Tensor& base, const Tensor& exponent) {
  const CalledFunction here;
  if (is_number(exponent) && is_integer(exponent.dtype()) && !is_floating(base.dtype()) &&
      number_value(exponent) < 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[pow] {} elements to the power {} are not integers; convert them to a "
                            "floating-point type first",
                            name_of(base.dtype()), number_value(exponent)));
  }
  return call_promoted(kPow, base, exponent);
}

Tensor maximum(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return are_bools(a, b) ? kOr(a, b) : extreme("maximum", kMax, a, b);
}
Tensor minimum(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return are_bools(a, b) ? kAnd(a, b) : extreme("minimum", kMin, a, b);
}
Tensor max(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return maximum(a, b);
}
Tensor min(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return minimum(a, b);
}

/// From the end that is nearer: what is far larger than the result would take its digits.
Tensor lerp(const Tensor& given_start, const Tensor& given_end, const Tensor& weight) {
  const CalledFunction here;
  const Steps steps({given_start, given_end, weight});
  const Tensor start = steps.operand(given_start), end = steps.operand(given_end);
  const Tensor apart = sub(end, start);
  const auto from_start = [&] { return add(start, mul(weight, apart)); };
  const auto from_end = [&](const Tensor& rest) { return sub(end, mul(rest, apart)); };
  if (!is_number(weight)) {
    const Tensor rest = sub(1, steps.operand(weight));
    return steps.rounded(where(lt(abs(weight), 0.5), from_start(), from_end(rest)));
  }
  const double share = number_value(weight);
  return steps.rounded(std::abs(share) < 0.5 ? from_start() : from_end(1 - share));
}

Tensor addcmul(const Tensor& input, const Tensor& a, const Tensor& b, Real value) {
  const CalledFunction here;
  const Steps steps({input, a, b});
  const DType dtype = wide_type(common_type({input, a, b}));
  const Tensor product = mul(as_dtype(a, dtype), as_dtype(b, dtype));
  return steps.rounded(add(steps.operand(input), scaled(product, value)));
}

Tensor addcdiv(const Tensor& input, const Tensor& a, const Tensor& b, Real value) {
  const CalledFunction here;
  const Steps steps({input, a, b});
  const DType common = wide_type(common_type({input, a, b}));
  const DType dtype = is_floating(common) ? common : DType::float32;
  const Tensor quotient = div(scaled(as_dtype(a, dtype), value), as_dtype(b, dtype));
  return steps.rounded(add(steps.operand(input), quotient));
}

}  // namespace switchyard
