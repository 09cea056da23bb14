// Comparisons, logic, bits.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kEqual("Equal"), kLess("Less"), kLessOrEqual("LessOrEqual"),
    kGreater("Greater"), kGreaterOrEqual("GreaterOrEqual"), kLogicalAnd("And"), kLogicalOr("Or"),
    kXor("Xor"), kNot("Not"), kBitwiseAnd("BitwiseAnd"), kBitwiseOr("BitwiseOr"),
    kBitwiseXor("BitwiseXor"), kBitwiseNot("BitwiseNot");

/// The type to compare in: one that holds a C++ number that the elements' own does not.
Pair comparable(const Tensor& a, const Tensor& b) {
  const DType dtype = result_type(a, b);
  const auto holds = [dtype](const Tensor& x) {
    if (!is_number(x) || !is_integer(dtype)) return true;
    return has_position(dtype, x) && !(is_unsigned(dtype) && number_value(x) < 0);
  };
  if (holds(a) && holds(b)) return {as_dtype(a, dtype), as_dtype(b, dtype)};
  const DType wide = dtype == DType::uint64 ? DType::float64 : DType::int64;
  return {as_dtype(a, wide), as_dtype(b, wide)};
}

/// The contract orders numbers, not bools.
Tensor ordered(const EagerOp& op, const Tensor& a, const Tensor& b) {
  Pair pair = comparable(a, b);
  if (pair.a.dtype() == DType::bool_) {
    pair = {as_dtype(pair.a, DType::uint8), as_dtype(pair.b, DType::uint8)};
  }
  return op(pair.a, pair.b);
}

Tensor truth(const Tensor& x) { return as_dtype(x, DType::bool_); }

Tensor bits(const EagerOp& on_bools, const EagerOp& on_integers, const Tensor& a, const Tensor& b) {
  const Pair pair = promoted(a, b);
  return pair.a.dtype() == DType::bool_ ? on_bools(pair.a, pair.b) : on_integers(pair.a, pair.b);
}

/// |a - b|. That of integers is exact, as is what is allowed but for its rounding; one that even
/// int64 does not hold comes out negative.
Tensor distance(const Pair& pair) {
  const DType dtype = pair.a.dtype();
  if (is_floating(dtype)) return abs(sub(pair.a, pair.b));
  const DType wide = bit_width(dtype) < 32 ? DType::int32 : DType::int64;
  const Tensor a = as_dtype(pair.a, wide), b = as_dtype(pair.b, wide);
  return sub(maximum(a, b), minimum(a, b));
}

}  // namespace

Mask eq(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  if (a.defined() && b.defined() && a.dtype() == b.dtype() && !is_number(a) && !is_number(b))
      [[likely]] {
    return Mask(kEqual(a, b));
  }
  const Pair pair = comparable(a, b);
  return Mask(kEqual(pair.a, pair.b));
}
Mask ne(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(kNot(eq(a, b)));
}
Mask lt(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(ordered(kLess, a, b));
}
Mask le(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(ordered(kLessOrEqual, a, b));
}
Mask gt(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(ordered(kGreater, a, b));
}
Mask ge(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(ordered(kGreaterOrEqual, a, b));
}

Mask isclose(const Tensor& a, const Tensor& b, Real rtol, Real atol, Flag equal_nan) {
  const CalledFunction here;
  if (!(rtol >= 0) || !(atol >= 0)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[isclose] rtol {} and atol {} may not be negative", double{rtol},
                            double{atol}));
  }
  const Pair pair = comparable(a, b);
  const Tensor apart = distance(pair);
  const Tensor allowed = add(abs(mul(pair.b, double{rtol})), double{atol});
  const Mask known = is_floating(apart.dtype()) ? isfinite(apart) : ge(apart, 0);
  Mask close = logical_or(eq(pair.a, pair.b), logical_and(known, le(apart, allowed)));
  if (equal_nan) close = logical_or(close, logical_and(isnan(pair.a), isnan(pair.b)));
  return close;
}

bool allclose(const Tensor& a, const Tensor& b, Real rtol, Real atol, Flag equal_nan) {
  const CalledFunction here;
  return all(isclose(a, b, rtol, atol, equal_nan)).item<bool>();
}

bool equal(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  return all(eq(a, b)).item<bool>();
}

Mask logical_and(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(kLogicalAnd(truth(a), truth(b)));
}
Mask logical_or(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(kLogicalOr(truth(a), truth(b)));
}
Mask logical_xor(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return Mask(kXor(truth(a), truth(b)));
}
Mask logical_not(const Tensor& a) {
  const CalledFunction here;
  return Mask(kNot(truth(a)));
}

Tensor bitwise_and(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return bits(kLogicalAnd, kBitwiseAnd, a, b);
}
Tensor bitwise_or(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return bits(kLogicalOr, kBitwiseOr, a, b);
}
Tensor bitwise_xor(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  return bits(kXor, kBitwiseXor, a, b);
}
Tensor bitwise_not(const Tensor& a) {
  const CalledFunction here;
  return a.dtype() == DType::bool_ ? kNot(a) : kBitwiseNot(a);
}

}  // namespace switchyard
