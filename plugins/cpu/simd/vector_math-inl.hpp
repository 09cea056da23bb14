// Functions of float vectors, each within 2 units in the last place of the exact value where no
// other bound is given, NaN and infinity included. Included once for each target, as Highway's own.
#if defined(CPU_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_MATH_INL
#undef CPU_VECTOR_MATH_INL
#else
#define CPU_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;

HWY_INLINE V set(float number) { return hn::Set(D(), number); }

// Polynomials by Horner, the highest coefficient first.
template <typename... Rest>
HWY_INLINE V polynomial(V x, float highest, Rest... rest) {
  V sum = set(highest);
  ((sum = hn::MulAdd(sum, x, set(rest))), ...);
  return sum;
}

// 2 to an integer power from -126 to 127.
HWY_INLINE V power_of_two(VI exponent) {
  return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(DI(), 127))));
}

// exp(x) for x from -104 to 89, as the polynomial and a power of two yet to be applied.
struct ExpParts {
  V mantissa;
  VI exponent;
};
// exp(x) = 2^exponent (1 + less_one), likewise.
struct ExpRest {
  V less_one;
  VI exponent;
};
HWY_INLINE ExpRest exp_rest(V x) {
  const V n = hn::Round(hn::Mul(x, set(1.44269504088896341f)));
  V r = hn::NegMulAdd(n, set(0.693359375f), x);
  r = hn::NegMulAdd(n, set(-2.12194440e-4f), r);
  const V p = polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                         1.6666665459e-1f, 5.0000001201e-1f);
  return {hn::MulAdd(hn::Mul(r, r), p, r), hn::ConvertTo(DI(), n)};
}
HWY_INLINE ExpParts exp_parts(V x) {
  const ExpRest rest = exp_rest(x);
  return {hn::Add(rest.less_one, set(1.0f)), rest.exponent};
}

// Two powers, since one would leave the range of float where the result is subnormal or infinite.
HWY_INLINE V scale(ExpParts parts) {
  const VI half = hn::ShiftRight<1>(parts.exponent);
  const VI rest = hn::Sub(parts.exponent, half);
  return hn::Mul(hn::Mul(parts.mantissa, power_of_two(half)), power_of_two(rest));
}

HWY_INLINE V keep_nan(V x, V result) { return hn::IfThenElse(hn::IsNaN(x), x, result); }

HWY_INLINE V exp(V x) {
  const V inside = hn::Min(hn::Max(x, set(-104.0f)), set(89.0f));
  return keep_nan(x, scale(exp_parts(inside)));
}

// Exact at whole numbers.
HWY_INLINE V exp2(V x) {
  const V inside = hn::Min(hn::Max(x, set(-151.0f)), set(129.0f));
  const V n = hn::Round(inside);
  ExpParts parts = exp_parts(hn::Mul(hn::Sub(inside, n), set(0.69314718055994531f)));
  parts.exponent = hn::Add(parts.exponent, hn::ConvertTo(DI(), n));
  return keep_nan(x, scale(parts));
}

// exp(x) for x <= 0 that is not a NaN; what would be subnormal is 0. For softmax and the like.
HWY_INLINE V exp_of_negative(V x) {
  const ExpParts parts = exp_parts(hn::Max(x, set(-87.0f)));
  const V result = hn::Mul(parts.mantissa, power_of_two(parts.exponent));
  return hn::IfThenElseZero(hn::Ge(x, set(-87.0f)), result);
}

// With t = 2^(n - 1), twice t (exp(r) - 1) + (t - 1/2): half of it first, as floats end below
// 2^128.
HWY_INLINE V expm1(V x) {
  const V inside = hn::Min(hn::Max(x, set(-20.0f)), set(89.0f));
  const ExpRest rest = exp_rest(inside);
  const V half_power = power_of_two(hn::Sub(rest.exponent, hn::Set(DI(), 1)));
  const V half = hn::MulAdd(half_power, rest.less_one, hn::Sub(half_power, set(0.5f)));
  const V result = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, hn::Add(half, half));
  return keep_nan(x, result);
}

// x = 2^exponent * m for a positive, finite x, with m from sqrt(1/2) to sqrt(2), where the
// polynomial for log(m) = f + tail, f = m - 1, is good.
struct LogParts {
  V exponent, f, tail;
};
HWY_INLINE LogParts log_parts(V x) {
  const D d;
  const DI di;
  const auto subnormal = hn::Lt(x, set(std::numeric_limits<float>::min()));
  const V scaled = hn::IfThenElse(subnormal, hn::Mul(x, set(0x1p25f)), x);
  const VI bits = hn::BitCast(di, scaled);
  const VI shifted = hn::Sub(bits, hn::Set(di, 0x3f3504f3));
  const VI power = hn::ShiftRight<23>(shifted);
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<23>(power)));
  const V n = hn::Sub(hn::ConvertTo(d, power), hn::IfThenElseZero(subnormal, set(25.0f)));
  const V f = hn::Sub(m, set(1.0f));
  const V square = hn::Mul(f, f);
  const V y = polynomial(f, 7.0376836292e-2f, -1.1514610310e-1f, 1.1676998740e-1f,
                         -1.2420140846e-1f, 1.4249322787e-1f, -1.6668057665e-1f, 2.0000714765e-1f,
                         -2.4999993993e-1f, 3.3333331174e-1f);
  return {n, f, hn::NegMulAdd(set(0.5f), square, hn::Mul(hn::Mul(y, square), f))};
}

// The logarithm's values at the ends of its domain, and `finite` between them.
HWY_INLINE V with_ends_of_log(V x, V finite) {
  const V infinity = set(std::numeric_limits<float>::infinity());
  V result = hn::IfThenElse(hn::Eq(x, infinity), infinity, finite);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), hn::Neg(infinity), result);
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  return keep_nan(x, hn::IfThenElse(hn::Lt(x, hn::Zero(D())), nan, result));
}

HWY_INLINE V log(V x) {
  const LogParts parts = log_parts(x);
  const V tail = hn::MulAdd(parts.exponent, set(-2.12194440e-4f), parts.tail);
  const V sum = hn::Add(parts.f, tail);
  return with_ends_of_log(x, hn::MulAdd(parts.exponent, set(0.693359375f), sum));
}

// Exact at powers of two. log2(e) is 1 and a rest, so that f loses nothing.
HWY_INLINE V log2(V x) {
  const LogParts parts = log_parts(x);
  const V rest = hn::Mul(hn::Add(parts.f, parts.tail), set(0.44269504088896341f));
  const V sum = hn::Add(hn::Add(rest, parts.tail), parts.f);
  return with_ends_of_log(x, hn::Add(parts.exponent, sum));
}

// The nearest float at powers of ten: log10(2) is a number of twelve bits, whose products are
// exact, and a rest.
HWY_INLINE V log10(V x) {
  const LogParts parts = log_parts(x);
  const V natural = hn::Add(parts.f, parts.tail);
  const V low = hn::MulAdd(parts.exponent, set(2.48745663981195213739e-4f),
                           hn::Mul(natural, set(0.43429448190325183f)));
  return with_ends_of_log(x, hn::MulAdd(parts.exponent, set(3.0078125e-1f), low));
}

// log(1 + x), through the correction that makes up for what 1 + x lost.
HWY_INLINE V log1p(V x) {
  const V u = hn::Add(x, set(1.0f));
  const V lost = hn::Sub(x, hn::Sub(u, set(1.0f)));
  const V corrected = hn::Add(log(u), hn::Div(lost, u));
  const auto plain = hn::Or(hn::Not(hn::Gt(u, hn::Zero(D()))),
                            hn::Not(hn::Lt(u, set(std::numeric_limits<float>::infinity()))));
  const V result = hn::IfThenElse(plain, log(u), corrected);
  return hn::IfThenElse(hn::Eq(u, set(1.0f)), x, result);
}

HWY_INLINE V sigmoid(V x) { return hn::Div(set(1.0f), hn::Add(set(1.0f), exp(hn::Neg(x)))); }

HWY_INLINE V tanh(V x) {
  const V a = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V p = polynomial(square, -5.70498872745e-3f, 2.06390887954e-2f, -5.37397155531e-2f,
                         1.33314422036e-1f, -3.33332819422e-1f);
  const V near = hn::MulAdd(hn::Mul(square, p), x, x);
  const V inside = hn::Min(a, set(20.0f));
  const V e = scale(exp_parts(hn::Add(inside, inside)));
  const V far = hn::Sub(set(1.0f), hn::Div(set(2.0f), hn::Add(e, set(1.0f))));
  const V result = hn::IfThenElse(hn::Lt(a, set(0.625f)), near, hn::CopySign(far, x));
  return keep_nan(x, result);
}

// Juffa's approximation, within 1 unit where there is a fused multiply-add.
HWY_INLINE V erf(V x) {
  const V t = hn::Abs(x);
  const V s = hn::Mul(x, x);
  V far = hn::MulAdd(set(-1.72853470e-5f), t, set(3.83197126e-4f));
  const V u = hn::MulAdd(set(-3.88396438e-3f), t, set(2.42546219e-2f));
  far = hn::MulAdd(far, s, u);
  far = hn::MulAdd(far, t, set(-1.06777877e-1f));
  far = hn::MulAdd(far, t, set(-6.34846687e-1f));
  far = hn::MulAdd(far, t, set(-1.28717512e-1f));
  far = hn::MulAdd(far, t, hn::Neg(t));
  const V inside = hn::Max(far, set(-87.0f));
  far = hn::CopySign(hn::Sub(set(1.0f), scale(exp_parts(inside))), x);
  V near = polynomial(s, -5.96761703e-4f, 4.99119423e-3f, -2.67681349e-2f, 1.12819925e-1f,
                      -3.76125336e-1f, 1.28379166e-1f);
  near = hn::MulAdd(near, x, x);
  const V beyond = hn::CopySign(set(1.0f), x);
  far = hn::IfThenElse(hn::Gt(t, set(4.0f)), beyond, far);
  return keep_nan(x, hn::IfThenElse(hn::Gt(t, set(0.927734375f)), far, near));
}

// Applies a scalar function to the lanes, where the vector one does not reach.
template <typename Function>
HWY_NOINLINE V lane_by_lane(V x, Function function) {
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, D(), lanes);
  for (size_t i = 0; i < hn::Lanes(D()); ++i) lanes[i] = function(lanes[i]);
  return hn::Load(D(), lanes);
}

// x minus the nearest multiple of pi / 2, in three steps, and that multiple's number.
struct Quadrant {
  V rest;
  VI number;
};
HWY_INLINE Quadrant quadrant(V x) {
  const V n = hn::Round(hn::Mul(x, set(0.636619772367581343f)));
  V r = hn::NegMulAdd(n, set(1.5703125f), x);
  r = hn::NegMulAdd(n, set(4.837512969970703125e-4f), r);
  r = hn::NegMulAdd(n, set(7.549789948768648e-8f), r);
  return {r, hn::ConvertTo(DI(), n)};
}

// The sine of a quadrant's rest, or the cosine where the number is odd; negative in every other
// pair.
HWY_INLINE V sine_of(Quadrant q) {
  const DI di;
  const V s = hn::Mul(q.rest, q.rest);
  const V sine =
      hn::MulAdd(hn::Mul(polynomial(s, -1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f), s),
                 q.rest, q.rest);
  const V cosine = hn::MulAdd(
      hn::Mul(polynomial(s, 2.443315711809948e-5f, -1.388731625493765e-3f, 4.166664568298827e-2f),
              s),
      s, hn::NegMulAdd(set(0.5f), s, set(1.0f)));
  const auto odd = hn::RebindMask(D(), hn::Ne(hn::And(q.number, hn::Set(di, 1)), hn::Zero(di)));
  const VI sign = hn::ShiftLeft<30>(hn::And(q.number, hn::Set(di, 2)));
  return hn::Xor(hn::IfThenElse(odd, cosine, sine), hn::BitCast(D(), sign));
}

// Beyond this the steps of `quadrant` are no longer exact.
inline constexpr float largest_angle = 8000.0f;

// Each lane by itself, so that a result does not depend on its neighbours.
template <typename Function>
HWY_INLINE V beyond_largest_angle(V x, V result, Function function) {
  const auto inside = hn::Le(hn::Abs(x), set(largest_angle));
  if (HWY_LIKELY(hn::AllTrue(D(), inside))) return result;
  return hn::IfThenElse(inside, result, lane_by_lane(x, function));
}

HWY_INLINE V sin(V x) {
  const V result = sine_of(quadrant(x));
  const V signed_zero = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, result);
  return beyond_largest_angle(x, signed_zero, [](float angle) { return std::sin(angle); });
}

HWY_INLINE V cos(V x) {
  Quadrant q = quadrant(x);
  q.number = hn::Add(q.number, hn::Set(DI(), 1));
  return beyond_largest_angle(x, sine_of(q), [](float angle) { return std::cos(angle); });
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
