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

#include "simd/vector_exponentials-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// exp(x) / 2, which is finite where exp(x) is no more.
HWY_INLINE V half_exp(V x) {
  ExpParts parts = exp_parts(hn::Min(x, set(89.5f)));
  parts.exponent = hn::Sub(parts.exponent, hn::Set(DI(), 1));
  return scale(parts);
}

// Within 3 units, as are cosh and the inverse hyperbolic functions.
HWY_INLINE V sinh(V x) {
  const V a = hn::Abs(x);
  const V e = expm1(hn::Min(a, set(1.0f)));
  const V near = hn::Mul(set(0.5f), hn::Add(e, hn::Div(e, hn::Add(e, set(1.0f)))));
  const V half = half_exp(a);
  const V far = hn::Sub(half, hn::Div(set(0.25f), half));
  const V size = hn::IfThenElse(hn::Lt(a, set(1.0f)), near, far);
  return keep_nan(x, hn::CopySign(size, x));
}

HWY_INLINE V cosh(V x) {
  const V half = half_exp(hn::Abs(x));
  return keep_nan(x, hn::Add(half, hn::Div(set(0.25f), half)));
}

// Beyond this the square overflows or hides what is added to it, and asinh and acosh are log(2 x).
inline constexpr float huge_square_root = 1e10f;

HWY_INLINE V log_of_twice(V x) { return hn::Add(log(x), set(0.69314718055994531f)); }

HWY_INLINE V asinh(V x) {
  const V a = hn::Abs(x);
  const V square = hn::Mul(a, a);
  const V root = hn::Sqrt(hn::Add(square, set(1.0f)));
  const V near = log1p(hn::Add(a, hn::Div(square, hn::Add(root, set(1.0f)))));
  const V size = hn::IfThenElse(hn::Gt(a, set(huge_square_root)), log_of_twice(a), near);
  return keep_nan(x, hn::CopySign(size, x));
}

HWY_INLINE V acosh(V x) {
  const V t = hn::Sub(x, set(1.0f));
  const V near = log1p(hn::Add(t, hn::Sqrt(hn::MulAdd(t, t, hn::Add(t, t)))));
  const V result = hn::IfThenElse(hn::Gt(x, set(huge_square_root)), log_of_twice(x), near);
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  return hn::IfThenElse(hn::Lt(x, set(1.0f)), nan, result);
}

// log((1 + a) / (1 - a)) / 2
HWY_INLINE V atanh(V x) {
  const V a = hn::Abs(x);
  const V twice = hn::Add(a, a);
  const V rest = hn::Div(hn::Mul(twice, a), hn::Sub(set(1.0f), a));
  const V inside = hn::Mul(set(0.5f), log1p(hn::Add(twice, rest)));
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  const V size = hn::IfThenElse(hn::Gt(a, set(1.0f)), nan, inside);
  return keep_nan(x, hn::CopySign(size, x));
}

// pi / 2 in two floats. The arcs are within 2.5 units, by the polynomials of Cephes.
inline constexpr float half_pi = 1.57079637050628662f, half_pi_rest = -4.37113883e-8f;

// For x from 0 to 1/2, given its square.
HWY_INLINE V asin_of_small(V x, V square) {
  const V p = polynomial(square, 4.2163199048e-2f, 2.4181311049e-2f, 4.5470025998e-2f,
                         7.4953002686e-2f, 1.6666752422e-1f);
  return hn::MulAdd(hn::Mul(p, square), x, x);
}

// asin(a) = pi / 2 - 2 asin(sqrt((1 - a) / 2)), which is small where a is large.
struct ArcParts {
  V arc;  // asin(a), or asin(sqrt((1 - a) / 2))
  hn::Mask<D> is_large;
};
HWY_INLINE ArcParts arc_parts(V a) {
  const auto is_large = hn::Gt(a, set(0.5f));
  const V half_rest = hn::Mul(hn::Sub(set(1.0f), a), set(0.5f));
  const V square = hn::IfThenElse(is_large, half_rest, hn::Mul(a, a));
  const V root = hn::IfThenElse(is_large, hn::Sqrt(square), a);
  return {asin_of_small(root, square), is_large};
}

HWY_INLINE V asin(V x) {
  const ArcParts parts = arc_parts(hn::Abs(x));
  const V twice = hn::Add(parts.arc, parts.arc);
  const V large = hn::Sub(set(half_pi), hn::Sub(twice, set(half_pi_rest)));
  return hn::CopySign(hn::IfThenElse(parts.is_large, large, parts.arc), x);
}

HWY_INLINE V acos(V x) {
  const ArcParts parts = arc_parts(hn::Abs(x));
  const V twice = hn::Add(parts.arc, parts.arc);
  const V small = hn::Sub(set(half_pi), hn::Sub(hn::CopySign(parts.arc, x), set(half_pi_rest)));
  const V negative = hn::Sub(set(2 * half_pi), hn::Sub(twice, set(2 * half_pi_rest)));
  const V large = hn::IfThenElse(hn::Lt(x, hn::Zero(D())), negative, twice);
  return hn::IfThenElse(parts.is_large, large, small);
}

// About 0, about 1 by (a - 1) / (a + 1), or about infinity by -1 / a.
HWY_INLINE V atan(V x) {
  const V a = hn::Abs(x), one = set(1.0f);
  const auto is_middle = hn::Gt(a, set(0.41421356237309505f));
  const auto is_large = hn::Gt(a, set(2.4142135623730950f));
  const V above =
      hn::IfThenElse(is_large, hn::Neg(one), hn::IfThenElse(is_middle, hn::Sub(a, one), a));
  const V below = hn::IfThenElse(is_large, a, hn::IfThenElse(is_middle, hn::Add(a, one), one));
  const V t = hn::Div(above, below);
  const V square = hn::Mul(t, t);
  const V p = polynomial(square, 8.05374449538e-2f, -1.38776856032e-1f, 1.99777106478e-1f,
                         -3.33329491539e-1f);
  const V arc = hn::MulAdd(hn::Mul(p, square), t, t);
  const V quarters = hn::IfThenElse(is_large, set(1.0f), hn::IfThenElseZero(is_middle, set(0.5f)));
  const V size = hn::MulAdd(quarters, set(half_pi), hn::MulAdd(quarters, set(half_pi_rest), arc));
  return keep_nan(x, hn::CopySign(size, x));
}

HWY_INLINE V sigmoid(V x) { return hn::Div(set(1.0f), hn::Add(set(1.0f), exp(hn::Neg(x)))); }

// A polynomial about 0, and 1 - 2 / (exp(2 a) + 1) beyond; from 10 on that is 1.
HWY_INLINE V tanh(V x) {
  const V a = hn::Abs(x);
  const V square = hn::Mul(x, x);
  const V p = polynomial(square, -5.692296661e-3f, 2.062816732e-2f, -5.373651534e-2f,
                         1.333140582e-1f, -3.333328068e-1f);
  const V near = hn::MulAdd(hn::Mul(square, p), a, a);
  const V inside = hn::Min(a, set(10.0f));
  const Whole n = nearest(inside, 2 * 1.44269504088896341f);
  V r = hn::NegMulAdd(n.number, set(0.693359375f / 2), inside);
  r = hn::NegMulAdd(n.number, set(-2.12194440e-4f / 2), r);
  const V e = polynomial(r, 8.845634758e-2f, 2.677974105e-1f, 6.666921377e-1f, 1.333321691f,
                         1.999999762f, 2.0f, 1.0f);
  const V above = hn::MulAdd(e, power_of_two(integer_of(n.bits)), set(1.0f));
  const V far = hn::Sub(set(1.0f), hn::Div(set(2.0f), above));
  return hn::CopySign(hn::IfThenElse(hn::Ge(a, set(0.625f)), far, near), x);
}

// erf(x) = x + x times this, given the square of x, up to 0.927734375 (both by Juffa).
HWY_INLINE V erf_rest(V square) {
  return polynomial(square, -5.96761703e-4f, 4.99119423e-3f, -2.67681349e-2f, 1.12819925e-1f,
                    -3.76125336e-1f, 1.28379166e-1f);
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
  const V near = hn::MulAdd(erf_rest(s), x, x);
  const V beyond = hn::CopySign(set(1.0f), x);
  far = hn::IfThenElse(hn::Gt(t, set(4.0f)), beyond, far);
  return keep_nan(x, hn::IfThenElse(hn::Gt(t, set(0.927734375f)), far, near));
}

// Within 4 units: near 0 by erf, else exp(-a^2) / (a + 2) times a polynomial of (a - 2) / (a + 2),
// for a = |x|. The square comes in two parts, of which the first is exact, as exp multiplies
// errors.
HWY_INLINE V erfc(V x) {
  const V a = hn::Min(hn::Abs(x), set(10.5f));  // from 10.06 on the result is 0
  const V reciprocal = hn::Div(set(1.0f), hn::Add(a, set(2.0f)));
  const V q = hn::Mul(hn::Sub(a, set(2.0f)), reciprocal);
  const V p = polynomial(q, 6.719499652e-5f, 6.808503531e-5f, -5.603025202e-4f, -8.492202032e-4f,
                         3.032042878e-3f, 6.480352487e-3f, -2.149626799e-2f, -3.644229099e-2f,
                         2.794708312e-1f, -6.871606708e-1f, 1.021582723f);
  const V high = hn::BitCast(D(), hn::And(hn::BitCast(DI(), a), hn::Set(DI(), -0x1000)));
  const V square_rest = hn::Mul(hn::Sub(a, high), hn::Add(a, high));
  const ExpParts parts = exp_parts(hn::Neg(hn::Mul(high, high)), hn::Neg(square_rest));
  const auto is_normal = hn::Lt(a, set(9.0f));
  const V power = HWY_LIKELY(hn::AllTrue(D(), is_normal)) ? scale_within(parts) : scale(parts);
  const V result = hn::Mul(hn::Mul(p, reciprocal), power);
  const V far = hn::IfThenElse(hn::Lt(x, hn::Zero(D())), hn::Sub(set(2.0f), result), result);
  const V near = hn::Sub(set(1.0f), hn::MulAdd(erf_rest(hn::Mul(x, x)), x, x));
  return keep_nan(x, hn::IfThenElse(hn::Lt(a, set(0.8f)), near, far));
}

// Within 4 units: near 0 by the series of the inverse, else by formula 26.2.23 of Abramowitz and
// Stegun, three digits, and one of Halley's steps. What is missing is counted from 1 on where erf
// is too near to it.
HWY_INLINE V erfinv(V x) {
  const V size = hn::Abs(x), rest = hn::Sub(set(1.0f), size);
  const auto is_near = hn::Lt(size, set(0.5f));
  const V slope = hn::MulAdd(hn::Mul(size, size), set(0.23201367f), set(0.88622693f));
  const V t = hn::Sqrt(hn::Mul(set(-2.0f), log(hn::Mul(rest, set(0.5f)))));
  const V quotient = hn::Div(polynomial(t, 0.010328f, 0.802853f, 2.515517f),
                             polynomial(t, 0.001308f, 0.189269f, 1.432788f, 1.0f));
  const V far = hn::Mul(hn::Sub(t, quotient), set(0.70710678f));
  const V y = hn::IfThenElse(is_near, hn::Mul(size, slope), far);
  const V miss = hn::IfThenElse(is_near, hn::Sub(erf(y), size), hn::Sub(rest, erfc(y)));
  const V step = hn::Mul(hn::Mul(miss, exp(hn::Mul(y, y))), set(0.88622693f));
  const V found = hn::Sub(y, hn::Div(step, hn::MulAdd(y, step, set(1.0f))));
  const V infinity = set(std::numeric_limits<float>::infinity());
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  const auto is_inside = hn::Gt(rest, hn::Zero(D()));
  const V end = hn::IfThenElse(hn::Eq(rest, hn::Zero(D())), infinity, nan);
  return keep_nan(x, hn::CopySign(hn::IfThenElse(is_inside, found, end), x));
}

// Applies a scalar function to the lanes, where the vector one does not reach.
template <typename Function>
HWY_NOINLINE V lane_by_lane(V x, Function function) {
  HWY_ALIGN float lanes[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, D(), lanes);
  for (size_t i = 0; i < hn::Lanes(D()); ++i) lanes[i] = function(lanes[i]);
  return hn::Load(D(), lanes);
}

template <typename Function>
HWY_NOINLINE V lane_by_lane(V x, V y, Function function) {
  HWY_ALIGN float left[HWY_MAX_BYTES / sizeof(float)];
  HWY_ALIGN float right[HWY_MAX_BYTES / sizeof(float)];
  hn::Store(x, D(), left);
  hn::Store(y, D(), right);
  for (size_t i = 0; i < hn::Lanes(D()); ++i) left[i] = function(left[i], right[i]);
  return hn::Load(D(), left);
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

// Within 3 units: the tangent of a quadrant's rest, or its reciprocal's negative in every other.
HWY_INLINE V tan(V x) {
  const DI di;
  const Quadrant q = quadrant(x);
  const V s = hn::Mul(q.rest, q.rest);
  const V p = polynomial(s, 9.38540185543e-3f, 3.11992232697e-3f, 2.44301354525e-2f,
                         5.34112807005e-2f, 1.33387994085e-1f, 3.33331568548e-1f);
  const V tangent = hn::MulAdd(hn::Mul(p, s), q.rest, q.rest);
  const auto odd = hn::RebindMask(D(), hn::Ne(hn::And(q.number, hn::Set(di, 1)), hn::Zero(di)));
  const V turned = hn::IfThenElse(odd, hn::Div(set(-1.0f), tangent), tangent);
  const V signed_zero = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, turned);
  return beyond_largest_angle(x, signed_zero, [](float angle) { return std::tan(angle); });
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
