// The logarithm of the gamma function and its derivative, of float vectors, computed in double and
// rounded once. Included once for each target, as Highway's own.
#if defined(CPU_VECTOR_GAMMA_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_GAMMA_INL
#undef CPU_VECTOR_GAMMA_INL
#else
#define CPU_VECTOR_GAMMA_INL
#endif

#include <hwy/highway.h>

#include <limits>
#include <numbers>

#include "simd/vector_double-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

// log(x) for a positive, finite x that is not subnormal.
HWY_INLINE VD log_in_double(VD x) {
  const hn::RebindToUnsigned<DD> du;
  const auto bits = hn::BitCast(du, x);
  const auto one = hn::Set(du, 0x3ff0000000000000);
  // The exponent of x / sqrt(1/2), biased by 1023; then converted where units are integers.
  const auto above = hn::Add(hn::Sub(bits, hn::Set(du, 0x3fe6a09e667f3bcd)), one);
  const auto biased = hn::ShiftRight<52>(above);
  const VD large = set_double(0x1p52);
  const VD number = hn::Sub(hn::BitCast(DD(), hn::Or(biased, hn::BitCast(du, large))), large);
  const VD m = hn::BitCast(DD(), hn::Add(hn::Sub(bits, hn::ShiftLeft<52>(biased)), one));
  const VD f = hn::Sub(m, set_double(1));
  const VD p = polynomial(f, 0.030680795077272324, -0.066934741294166294, 0.070956544778598793,
                          -0.063113688827038217, 0.064665055464469642, -0.071059391791598009,
                          0.077085996753712374, -0.083375924607262064, 0.090901823697144307,
                          -0.099997615026487754, 0.11111128910042872, -0.1250000717815995,
                          0.14285714062409424, -0.16666666554457985, 0.20000000001219723,
                          -0.25000000000781819, 0.3333333333333125, -0.49999999999998412, 1.0);
  const VD exponent = hn::Sub(number, set_double(1023));
  return hn::MulAdd(exponent, set_double(std::numbers::ln2), hn::Mul(f, p));
}

// The logarithm of gamma for a positive x. Between 3/2 and 5/2 by a polynomial, to which the rest
// below 9/2 is led by factors; beyond by Stirling's series.
HWY_INLINE VD lgamma_of_positive(VD x) {
  const VD one = set_double(1);
  const auto is_above = [&](double bound) { return hn::Ge(x, set_double(bound)); };
  const auto is_large = is_above(4.5);
  // x(x + 1) below 1/2, x below 3/2, x - 1 below 7/2, (x - 1)(x - 2) below 9/2.
  VD u = hn::Add(x, set_double(2)), factor = hn::Mul(x, hn::Add(x, one));
  u = hn::IfThenElse(is_above(0.5), hn::Add(x, one), u);
  factor = hn::IfThenElse(is_above(0.5), x, factor);
  u = hn::IfThenElse(is_above(1.5), x, u);
  factor = hn::IfThenElse(is_above(1.5), one, factor);
  const VD less_one = hn::Sub(x, one), less_two = hn::Sub(x, set_double(2));
  u = hn::IfThenElse(is_above(2.5), less_one, u);
  factor = hn::IfThenElse(is_above(2.5), less_one, factor);
  u = hn::IfThenElse(is_above(3.5), less_two, u);
  factor = hn::IfThenElse(is_above(3.5), hn::Mul(less_one, less_two), factor);

  const VD log_of = log_in_double(hn::IfThenElse(is_large, x, factor));
  const VD v = hn::Sub(u, set_double(2));
  const VD p = polynomial(v, 5.7538581075707942e-06, -1.14443068403004e-05, 1.9816780858421321e-05,
                          -4.4213965167326857e-05, 9.9626391425804473e-05, -0.00022327763298711085,
                          0.00050964780609170186, -0.0011927431343279299, 0.0028905117534086928,
                          -0.0073855514759521576, 0.020580808386725859, -0.067352301046277485,
                          0.32246703342445787, 0.42278433509844976);
  const VD signed_log = hn::IfThenElse(is_above(1.5), log_of, hn::Neg(log_of));
  const VD small = hn::MulAdd(v, p, signed_log);

  const VD w = hn::IfThenElse(is_large, x, set_double(4.5));
  const VD reciprocal = hn::Div(one, w);
  const VD series =
      polynomial(hn::Mul(reciprocal, reciprocal), -0.0012320463412127127, 0.0008069106149998993,
                 -0.00059436724890230897, 0.00079364070904979725, -0.0027777777346251909,
                 0.083333333333303325);
  const VD half_log_of_circle = set_double(0.91893853320467274178);
  const VD rest = hn::MulAdd(reciprocal, series, hn::Sub(half_log_of_circle, w));
  const VD large = hn::MulAdd(hn::Sub(w, set_double(0.5)), log_of, rest);
  return hn::IfThenElse(is_large, large, small);
}

// x minus the nearest integer.
HWY_INLINE VD beside_whole(VD x) { return hn::Sub(x, hn::Round(x)); }

// sin(pi r) for r from -1/2 to 1/2.
HWY_INLINE VD sine_of_half_turns(VD r) {
  const VD p = polynomial(hn::Mul(r, r), -2.1122952443818593e-05, 0.00046597761651227018,
                          -0.0073703610714870834, 0.082145878256513524, -0.59926452877570535,
                          2.550164039859776, -5.1677127800497527, 3.1415926535897927);
  return hn::Mul(r, p);
}
HWY_INLINE VD cosine_of_half_turns(VD r) {
  return polynomial(hn::Mul(r, r), -0.00010041750684920181, 0.0019278709653027923,
                    -0.025806532289729425, 0.23533058836668505, -1.3352627661864471,
                    4.0587121263334902, -4.9348022005436887, 1.0);
}

// Of a negative x by pi / (|x sin(pi x)| gamma(|x|)).
HWY_INLINE VD lgamma_of_negative(VD x) {
  const VD a = hn::Abs(x);
  const VD sine = hn::Abs(sine_of_half_turns(beside_whole(a)));
  const VD divisor = hn::Max(hn::Mul(a, sine), set_double(1e-300));
  const VD mirror = log_in_double(hn::Div(set_double(std::numbers::pi), divisor));
  return hn::Sub(mirror, lgamma_of_positive(a));
}

// Within 1 unit, but for 2 beside the zeros at negative numbers.
HWY_INLINE V lgamma(V x) {
  const V zero = hn::Zero(D()), infinity = set(std::numeric_limits<float>::infinity());
  const auto is_plain = hn::And(hn::Gt(x, zero), hn::Lt(x, infinity));
  const auto of_positive = [](VD a) { return lgamma_of_positive(a); };
  if (HWY_LIKELY(hn::AllTrue(D(), is_plain))) return in_double(of_positive, x);
  const auto of_any = [](VD a) {
    const VD positive = lgamma_of_positive(hn::Abs(a));
    return hn::IfThenElse(hn::Lt(a, hn::Zero(DD())), lgamma_of_negative(a), positive);
  };
  const auto is_pole = hn::And(hn::Le(x, zero), hn::Eq(hn::Round(x), x));
  const auto is_infinite = hn::Or(is_pole, hn::Eq(x, infinity));
  const V finite = hn::IfThenElse(is_infinite, set(1.0f), x);
  return keep_nan(x, hn::IfThenElse(is_infinite, infinity, in_double(of_any, finite)));
}

// The derivative of lgamma_of_positive: six steps up, where x is below 6, then a series.
HWY_INLINE VD digamma_of_positive(VD x) {
  const VD one = set_double(1);
  VD above = one, below = x;  // the sum of 1 / (x + k) as one fraction
  for (int k = 1; k < 6; ++k) {
    const VD next = hn::Add(x, set_double(k));
    above = hn::MulAdd(above, next, below);
    below = hn::Mul(below, next);
  }
  const auto is_large = hn::Ge(x, set_double(6));
  const VD w = hn::IfThenElse(is_large, x, hn::Add(x, set_double(6)));
  const VD steps = hn::IfThenZeroElse(is_large, hn::Div(above, below));
  const VD reciprocal = hn::Div(one, w);
  const VD square = hn::Mul(reciprocal, reciprocal);
  const VD series =
      polynomial(square, -0.015670311319265638, 0.0074205565759474434, -0.0041645311142697776,
                 0.0039682404715444342, -0.00833333330192732, 0.083333333333321463);
  const VD far =
      hn::Sub(log_in_double(w), hn::MulAdd(square, series, hn::Mul(reciprocal, set_double(0.5))));
  return hn::Sub(far, steps);
}

// Of a negative x by that of 1 - x, minus pi / tan(pi x).
HWY_INLINE VD digamma_of_negative(VD x) {
  const VD r = beside_whole(x);
  const VD cotangent = hn::Div(cosine_of_half_turns(r), sine_of_half_turns(r));
  const VD mirrored = digamma_of_positive(hn::Sub(set_double(1), x));
  return hn::NegMulAdd(set_double(std::numbers::pi), cotangent, mirrored);
}

// Within 1 unit, but for 2 beside the zeros. At zeros infinite with the other sign, at negative
// integers a NaN.
HWY_INLINE V digamma(V x) {
  const V zero = hn::Zero(D()), infinity = set(std::numeric_limits<float>::infinity());
  const auto is_plain = hn::And(hn::Gt(x, zero), hn::Lt(x, infinity));
  const auto of_positive = [](VD a) { return digamma_of_positive(a); };
  if (HWY_LIKELY(hn::AllTrue(D(), is_plain))) return in_double(of_positive, x);
  const auto of_any = [](VD a) {
    const VD positive = digamma_of_positive(hn::Abs(a));
    return hn::IfThenElse(hn::Lt(a, hn::Zero(DD())), digamma_of_negative(a), positive);
  };
  const auto is_pole = hn::And(hn::Lt(x, zero), hn::Eq(hn::Round(x), x));
  const auto is_end = hn::Or(hn::Eq(x, zero), hn::Eq(x, infinity));
  const V finite = hn::IfThenElse(hn::Or(is_pole, is_end), set(1.0f), x);
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  V result = hn::IfThenElse(is_pole, nan, in_double(of_any, finite));
  result = hn::IfThenElse(hn::Eq(x, infinity), infinity, result);
  result = hn::IfThenElse(hn::Eq(x, zero), hn::CopySign(infinity, hn::Neg(x)), result);
  return keep_nan(x, result);
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
