// Functions of float vectors that are computed in double and rounded once. Included once for each
// target, as Highway's own.
#if defined(CPU_VECTOR_DOUBLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_DOUBLE_INL
#undef CPU_VECTOR_DOUBLE_INL
#else
#define CPU_VECTOR_DOUBLE_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "simd/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {

using DD = hn::ScalableTag<double>;
using VD = hn::Vec<DD>;

HWY_INLINE VD set_double(double number) { return hn::Set(DD(), number); }

HWY_INLINE hn::Vec<hn::Rebind<float, DD>> to_floats(VD x) {
  const hn::Rebind<float, DD> d;
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  // Highway's own would be finite where the result is not.
  HWY_ALIGN double lanes[HWY_MAX_BYTES / sizeof(double)];
  HWY_ALIGN float floats[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(x, DD(), lanes);
  for (size_t i = 0; i < hn::Lanes(DD()); ++i) floats[i] = static_cast<float>(lanes[i]);
  return hn::Load(d, floats);
#else
  return hn::DemoteTo(d, x);
#endif
}

// `function` of the lanes in double.
template <typename Call, typename... Vectors>
HWY_INLINE V in_double(Call function, Vectors... x) {
#if HWY_TARGET == HWY_SCALAR
  return to_floats(function(hn::PromoteTo(DD(), x)...));
#else
  const hn::Half<D> half;
  const auto upper = to_floats(function(hn::PromoteTo(DD(), hn::UpperHalf(half, x))...));
  const auto lower = to_floats(function(hn::PromoteTo(DD(), hn::LowerHalf(half, x))...));
  return hn::Combine(D(), upper, lower);
#endif
}

// log2(1 + f) for 1 + f from sqrt(1/2) to sqrt(2), within 2^-38 of itself.
HWY_INLINE VD log2_of_one_and(VD f) {
  const VD p = polynomial(f, -0.069724595369493408, 0.13251637006917827, -0.13464208908486217,
                          0.13027672696988918, -0.14249629785044782, 0.16021632814109213,
                          -0.180436925676211, 0.20610714927956955, -0.24044642756644485,
                          0.28853879496238277, -0.36067379322497006, 0.48089834881028798,
                          -0.72134752032717764, 1.4426950408865638);
  return hn::Mul(f, p);
}

// 2^x for x from -151 to 129, within 2^-34 of itself.
HWY_INLINE VD exp2_in_double(VD x) {
  const hn::RebindToSigned<DD> di;
  const VD large = set_double(0x1.8p52);  // its unit in the last place is 1
  const VD whole = hn::Add(x, large);
  const VD r = hn::Sub(x, hn::Sub(whole, large));
  const VD p = polynomial(r, 1.5201916267148879e-05, 0.00015469318261984074, 0.0013333922774497583,
                          0.0096180271688904185, 0.055504103529757778, 0.24022651198793887,
                          0.69314718072863302, 0.99999999996161848);
  const auto power = hn::ShiftLeft<52>(hn::BitCast(di, whole));
  return hn::BitCast(DD(), hn::Add(hn::BitCast(di, p), power));
}

// (2^exponent (1 + f))^y
HWY_INLINE VD power_of(VD exponent, VD f, VD y) {
  const VD z = hn::Mul(y, hn::Add(exponent, log2_of_one_and(f)));
  return exp2_in_double(hn::Min(hn::Max(z, set_double(-151.0)), set_double(129.0)));
}
HWY_INLINE V power_of(PowerParts base, V y) {
  return in_double([](VD exponent, VD f, VD z) { return power_of(exponent, f, z); }, base.exponent,
                   base.f, y);
}

// Of any base, with C's results where the base or the exponent is zero, infinite or NaN.
HWY_INLINE V pow_of_any(V x, V y) {
  const D d;
  const V zero = hn::Zero(d), one = set(1.0f);
  const V infinity = set(std::numeric_limits<float>::infinity());
  const V a = hn::Abs(x);
  const auto is_subnormal = hn::Lt(a, set(std::numeric_limits<float>::min()));
  PowerParts parts = power_parts(hn::IfThenElse(is_subnormal, hn::Mul(a, set(0x1p25f)), a));
  parts.exponent = hn::Sub(parts.exponent, hn::IfThenElseZero(is_subnormal, set(25.0f)));
  // The logarithm of 0 and of infinity.
  const auto is_zero = hn::Eq(a, zero), is_infinite = hn::Eq(a, infinity);
  parts.exponent = hn::IfThenElse(is_zero, hn::Neg(infinity), parts.exponent);
  parts.exponent = hn::IfThenElse(is_infinite, infinity, parts.exponent);
  parts.f = hn::IfThenZeroElse(hn::Or(is_zero, is_infinite), parts.f);
  const auto is_one = hn::Or(hn::Eq(a, one), hn::Eq(y, zero));
  const V size = hn::IfThenElse(is_one, one, power_of(parts, y));
  // The sign.
  const auto is_whole = hn::Eq(hn::Round(y), y);
  const V half = hn::Mul(y, set(0.5f));
  const auto is_odd = hn::AndNot(hn::Eq(hn::Round(half), half), is_whole);
  V result = hn::IfThenElse(is_odd, hn::CopySign(size, x), size);
  const auto has_none = hn::AndNot(is_whole, hn::And(hn::Lt(x, zero), hn::Lt(a, infinity)));
  result = hn::IfThenElse(has_none, set(std::numeric_limits<float>::quiet_NaN()), result);
  const auto is_nan = hn::Or(hn::IsNaN(x), hn::IsNaN(y));
  result = hn::IfThenElse(is_nan, hn::Add(x, y), result);
  return hn::IfThenElse(hn::Or(hn::Eq(x, one), hn::Eq(y, zero)), one, result);
}

// Within 0.51 units. Few vectors hold a base that is not a positive, normal number; both ways give
// the others the same result.
HWY_INLINE V pow(V x, V y) {
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  return lane_by_lane(x, y, [](float base, float exponent) { return std::pow(base, exponent); });
#else
  const V infinity = set(std::numeric_limits<float>::infinity());
  const auto is_plain_base =
      hn::And(hn::Ge(x, set(std::numeric_limits<float>::min())), hn::Lt(x, infinity));
  const auto is_plain = hn::And(is_plain_base, hn::Lt(hn::Abs(y), infinity));
  if (HWY_LIKELY(hn::AllTrue(D(), is_plain))) {
    return power_of(power_parts(x), y);
  }
  return pow_of_any(x, y);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
