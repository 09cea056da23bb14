// Functions of two float vectors. Included once for each target, as Highway's own.
#if defined(CPU_VECTOR_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_PAIRS_INL
#undef CPU_VECTOR_PAIRS_INL
#else
#define CPU_VECTOR_PAIRS_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "simd/floor_quotient.hpp"
#include "simd/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

HWY_INLINE MaskD is_either_nan(V x, V y) { return hn::Or(hn::IsNaN(x), hn::IsNaN(y)); }

// The whole part of |x| / |y| and what it leaves, exact in the lanes that are simple. A quotient
// below 2^23 has the right whole part, or the next one where the division has rounded up to it; a
// multiplication that does not round leaves the remainder then, or that minus y. Others, all of
// them where the processor has no such multiplication, go through C's functions.
struct Quotient {
  V whole, rest;
  MaskD is_simple;
};
HWY_INLINE Quotient quotient(V x, V y) {
  const V zero = hn::Zero(D());
  const V a = hn::Abs(x), b = hn::Abs(y);
  const V whole = hn::Trunc(hn::Div(a, b));
  const V rest = hn::NegMulAdd(whole, b, a);
  const auto is_one_too_many = hn::Lt(rest, zero);
  const V right_rest = hn::IfThenElse(is_one_too_many, hn::Add(rest, b), rest);
  return {hn::Sub(whole, hn::IfThenElseZero(is_one_too_many, set(1.0f))),
          hn::IfThenElse(hn::Eq(whole, zero), a, right_rest),  // y may be infinite
          hn::Lt(whole, set(HWY_NATIVE_FMA ? 0x1p23f : -1.0f))};
}

template <typename Function>
HWY_INLINE V unless_simple(const Quotient& q, V x, V y, V result, Function function) {
  if (HWY_LIKELY(hn::AllTrue(D(), q.is_simple))) return result;
  return hn::IfThenElse(q.is_simple, result, lane_by_lane(x, y, function));
}

// The remainder has the sign of x.
HWY_INLINE V fmod(V x, V y) {
  const Quotient q = quotient(x, y);
  const V result = hn::CopySign(q.rest, x);
  return unless_simple(q, x, y, result, [](float a, float b) { return std::fmod(a, b); });
}

HWY_INLINE MaskD have_different_signs(V x, V y) {
  const hn::RebindToSigned<D> di;
  const auto differs = hn::Xor(hn::BitCast(di, x), hn::BitCast(di, y));
  return hn::RebindMask(D(), hn::Lt(differs, hn::Zero(di)));
}

// The remainder has the sign of y.
HWY_INLINE V mod(V x, V y) {
  const V rest = fmod(x, y);
  const auto turns = hn::AndNot(hn::Eq(rest, hn::Zero(D())), have_different_signs(rest, y));
  return hn::IfThenElse(turns, hn::Add(rest, y), rest);
}

// The quotient rounded down, from the exact remainder; a zero has the quotient's sign.
HWY_INLINE V floor_divide(V x, V y) {
  const Quotient q = quotient(x, y);
  const auto is_negative = have_different_signs(x, y);
  const auto rounds_away = hn::AndNot(hn::Eq(q.rest, hn::Zero(D())), is_negative);
  const V size = hn::Add(q.whole, hn::IfThenElseZero(rounds_away, set(1.0f)));
  const V result = hn::IfThenElse(is_negative, hn::Neg(size), size);
  return unless_simple(q, x, y, result, floor_quotient<float>);
}

// The arc of the smaller by the larger, within 2.5 units, turned into its place.
HWY_INLINE V atan2(V y, V x) {
  const V ay = hn::Abs(y), ax = hn::Abs(x), zero = hn::Zero(D());
  const auto is_steep = hn::Gt(ay, ax);
  const V larger = hn::IfThenElse(is_steep, ay, ax), smaller = hn::IfThenElse(is_steep, ax, ay);
  // Two infinities are as far as each other, and so are two zeros.
  const V of_equals = hn::IfThenElseZero(hn::Gt(larger, zero), set(1.0f));
  const V t = hn::IfThenElse(hn::Eq(larger, smaller), of_equals, hn::Div(smaller, larger));
  const V square = hn::Mul(t, t);
  const V p = polynomial(square, -1.787547604e-3f, 1.088736113e-2f, -3.112700209e-2f,
                         5.790654570e-2f, -8.400475234e-2f, 1.095117480e-1f, -1.426405162e-1f,
                         1.999853104e-1f, -3.333329856e-1f);
  V arc = hn::MulAdd(hn::Mul(p, square), t, t);
  arc = hn::IfThenElse(is_steep, hn::Sub(set(half_pi), hn::Sub(arc, set(half_pi_rest))), arc);
  const V turned = hn::Sub(set(2 * half_pi), hn::Sub(arc, set(2 * half_pi_rest)));
  arc = hn::IfThenElse(have_different_signs(x, zero), turned, arc);
  return hn::IfThenElse(is_either_nan(x, y), hn::Add(x, y), hn::CopySign(arc, y));
}

// Within 1.5 units. Squares beyond the range of float are scaled; where the smaller's is 0, it is
// nothing beside the larger's.
HWY_INLINE V hypot(V x, V y) {
  const V a = hn::Abs(x), b = hn::Abs(y), one = set(1.0f);
  const V larger = hn::IfThenElse(hn::Gt(b, a), b, a), smaller = hn::IfThenElse(hn::Gt(b, a), a, b);
  const auto root = [](V l, V s) { return hn::Sqrt(hn::MulAdd(l, l, hn::Mul(s, s))); };
  const auto is_plain = hn::And(hn::Gt(larger, set(0x1p-50f)), hn::Lt(larger, set(0x1p60f)));
  if (HWY_LIKELY(hn::AllTrue(D(), is_plain))) return root(larger, smaller);
  const auto is_large = hn::Ge(larger, set(0x1p60f)), is_small = hn::Le(larger, set(0x1p-50f));
  const V down =
      hn::IfThenElse(is_large, set(0x1p-80f), hn::IfThenElse(is_small, set(0x1p80f), one));
  const V up = hn::IfThenElse(is_large, set(0x1p80f), hn::IfThenElse(is_small, set(0x1p-80f), one));
  const V finite = hn::Mul(root(hn::Mul(larger, down), hn::Mul(smaller, down)), up);
  const V infinity = set(std::numeric_limits<float>::infinity());
  const V result = hn::IfThenElse(is_either_nan(x, y), hn::Add(x, y), finite);
  return hn::IfThenElse(hn::Or(hn::Eq(a, infinity), hn::Eq(b, infinity)), infinity, result);
}

// log(exp(x) + exp(y))
HWY_INLINE V log_add_exp(V x, V y) {
  const V larger = hn::IfThenElse(hn::Gt(x, y), x, y);
  const V rest = log1p(exp(hn::Neg(hn::Abs(hn::Sub(x, y)))));
  const V infinity = set(std::numeric_limits<float>::infinity());
  const auto is_same_infinity = hn::And(hn::Eq(x, y), hn::Eq(hn::Abs(x), infinity));
  return hn::IfThenElse(is_same_infinity, x, hn::Add(larger, rest));
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
