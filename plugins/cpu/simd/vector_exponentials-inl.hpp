// Exponential functions and logarithms of float vectors, each within 2 units in the last place of
// the exact value, NaN and infinity included. Included once for each target, as Highway's own.
#if defined(CPU_VECTOR_EXPONENTIALS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_EXPONENTIALS_INL
#undef CPU_VECTOR_EXPONENTIALS_INL
#else
#define CPU_VECTOR_EXPONENTIALS_INL
#endif

#include <hwy/highway.h>

#include <limits>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<float>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using VI = hn::Vec<DI>;
using MaskD = hn::Mask<D>;

HWY_INLINE V set(float number) { return hn::Set(D(), number); }

// Polynomials by Horner, the highest coefficient first.
template <typename Vector, typename... Rest>
HWY_INLINE Vector polynomial(Vector x, hn::TFromV<Vector> highest, Rest... rest) {
  const hn::DFromV<Vector> d;
  Vector sum = hn::Set(d, highest);
  ((sum = hn::MulAdd(sum, x, hn::Set(d, rest))), ...);
  return sum;
}

// 2 to an integer power from -126 to 127.
HWY_INLINE V power_of_two(VI exponent) {
  return hn::BitCast(D(), hn::ShiftLeft<23>(hn::Add(exponent, hn::Set(DI(), 127))));
}

// Where the unit of float is 1, so that adding it rounds to an integer.
inline constexpr float rounder = 0x1.8p23f;

// A number without a fraction, of a size below 2^22, as a float, and as the low bits of another.
struct Whole {
  V number;
  VI bits;
};
// The one that is nearest to x times `factor`.
HWY_INLINE Whole nearest(V x, float factor) {
  const V rounded = hn::MulAdd(x, set(factor), set(rounder));
  return {hn::Sub(rounded, set(rounder)), hn::BitCast(DI(), rounded)};
}
HWY_INLINE VI integer_of(VI bits) { return hn::Sub(bits, hn::BitCast(DI(), set(rounder))); }

// A number from 1/2 to 2 times a power of two that is yet to be applied, the bits of a Whole.
struct ExpParts {
  V mantissa;
  VI exponent;
};
// exp(x) = 2^exponent (1 + less_one), likewise.
struct ExpRest {
  V less_one;
  VI exponent;
};

// x minus a multiple of log(2).
HWY_INLINE V without_powers(V x, V number) {
  return hn::NegMulAdd(number, set(-2.12194440e-4f), hn::NegMulAdd(number, set(0.693359375f), x));
}
HWY_INLINE ExpRest exp_rest(V x) {
  const Whole n = nearest(x, 1.44269504088896341f);
  const V r = without_powers(x, n.number);
  const V p = polynomial(r, 1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                         1.6666665459e-1f, 5.0000001201e-1f);
  return {hn::MulAdd(hn::Mul(r, r), p, r), n.bits};
}
// Of the sum of x and of `rest`, which is small.
HWY_INLINE ExpParts exp_parts(V x, V rest) {
  const Whole n = nearest(x, 1.44269504088896341f);
  const V r = hn::Add(without_powers(x, n.number), rest);
  return {polynomial(r, 1.382130431e-3f, 8.368669078e-3f, 4.166825861e-2f, 1.666652113e-1f,
                     4.999999404e-1f, 1.0f, 1.0f),
          n.bits};
}
HWY_INLINE ExpParts exp_parts(V x) { return exp_parts(x, hn::Zero(D())); }
HWY_INLINE ExpParts exp2_parts(V x) {
  const Whole n = nearest(x, 1.0f);
  const V r = hn::Sub(x, n.number);
  return {polynomial(r, 1.532646857e-4f, 1.339080743e-3f, 9.618505836e-3f, 5.550359935e-2f,
                     2.402264774e-1f, 6.931471825e-1f, 1.0f),
          n.bits};
}

// The power applied in the bits of the exponent, for results that are neither subnormal nor
// infinite.
HWY_INLINE V scale_within(ExpParts parts) {
  const VI power = hn::ShiftLeft<23>(parts.exponent);
  return hn::BitCast(D(), hn::Add(hn::BitCast(DI(), parts.mantissa), power));
}

// Two powers, since one would leave the range of float where the result does.
HWY_INLINE V scale(ExpParts parts) {
  const VI exponent = integer_of(parts.exponent);
  const VI half = hn::ShiftRight<1>(exponent);
  const VI rest = hn::Sub(exponent, half);
  return hn::Mul(hn::Mul(parts.mantissa, power_of_two(half)), power_of_two(rest));
}

HWY_INLINE V keep_nan(V x, V result) { return hn::IfThenElse(hn::IsNaN(x), x, result); }

// Few vectors hold a number whose power is subnormal or infinite. Both ways give the others the
// same result.
HWY_INLINE V exp(V x) {
  if (HWY_LIKELY(hn::AllTrue(D(), hn::Le(hn::Abs(x), set(87.0f))))) {
    return scale_within(exp_parts(x));
  }
  const V inside = hn::Min(hn::Max(x, set(-104.0f)), set(89.0f));
  return keep_nan(x, scale(exp_parts(inside)));
}

// Exact at integers.
HWY_INLINE V exp2(V x) {
  if (HWY_LIKELY(hn::AllTrue(D(), hn::Le(hn::Abs(x), set(125.0f))))) {
    return scale_within(exp2_parts(x));
  }
  const V inside = hn::Min(hn::Max(x, set(-151.0f)), set(129.0f));
  return keep_nan(x, scale(exp2_parts(inside)));
}

// exp(x) for x <= 0 that is not a NaN; what would be subnormal is 0. For softmax and the like.
HWY_INLINE V exp_of_negative(V x) {
  const V result = scale_within(exp_parts(hn::Max(x, set(-87.0f))));
  return hn::IfThenElseZero(hn::Ge(x, set(-87.0f)), result);
}

// With t = 2^(n - 1), twice t (exp(r) - 1) + (t - 1/2): half of it first, as floats end below
// 2^128.
HWY_INLINE V expm1(V x) {
  const V inside = hn::Min(hn::Max(x, set(-20.0f)), set(89.0f));
  const ExpRest rest = exp_rest(inside);
  const V half_power = power_of_two(hn::Sub(integer_of(rest.exponent), hn::Set(DI(), 1)));
  const V half = hn::MulAdd(half_power, rest.less_one, hn::Sub(half_power, set(0.5f)));
  const V result = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), x, hn::Add(half, half));
  return keep_nan(x, result);
}

// x = 2^exponent (1 + f) for a positive, finite x that is not subnormal, with 1 + f from sqrt(1/2)
// to sqrt(2).
struct PowerParts {
  V exponent, f;
};
HWY_INLINE PowerParts power_parts(V x) {
  const DI di;
  const VI bits = hn::BitCast(di, x);
  const VI power = hn::ShiftRight<23>(hn::Sub(bits, hn::Set(di, 0x3f3504f3)));
  const V m = hn::BitCast(D(), hn::Sub(bits, hn::ShiftLeft<23>(power)));
  return {hn::ConvertTo(D(), power), hn::Sub(m, set(1.0f))};
}

// Likewise, with log(1 + f) = f + tail.
struct LogParts {
  V exponent, f, tail;
};
HWY_INLINE LogParts log_parts(V x) {
  const auto [exponent, f] = power_parts(x);
  const V p = polynomial(f, 6.750877202e-2f, -1.167141572e-1f, 1.188357472e-1f, -1.240603477e-1f,
                         1.422032714e-1f, -1.666799635e-1f, 2.000207305e-1f, -2.500000894e-1f,
                         3.333331347e-1f, -0.5f);
  return {exponent, f, hn::Mul(hn::Mul(f, f), p)};
}

// The logarithm's values at the ends of its domain, and `finite` between them.
HWY_INLINE V with_ends_of_log(V x, V finite) {
  const V infinity = set(std::numeric_limits<float>::infinity());
  V result = hn::IfThenElse(hn::Eq(x, infinity), infinity, finite);
  result = hn::IfThenElse(hn::Eq(x, hn::Zero(D())), hn::Neg(infinity), result);
  const V nan = set(std::numeric_limits<float>::quiet_NaN());
  return keep_nan(x, hn::IfThenElse(hn::Lt(x, hn::Zero(D())), nan, result));
}

// A logarithm, given how one is made of the parts. Few vectors hold a number that is subnormal or
// at an end of the domain; both ways give the others the same result.
template <typename Join>
HWY_INLINE V log_by_parts(V x, Join join) {
  const V least = set(std::numeric_limits<float>::min());
  const V infinity = set(std::numeric_limits<float>::infinity());
  if (HWY_LIKELY(hn::AllTrue(D(), hn::And(hn::Ge(x, least), hn::Lt(x, infinity))))) {
    return join(log_parts(x));
  }
  const auto is_subnormal = hn::Lt(x, least);
  LogParts parts = log_parts(hn::IfThenElse(is_subnormal, hn::Mul(x, set(0x1p25f)), x));
  parts.exponent = hn::Sub(parts.exponent, hn::IfThenElseZero(is_subnormal, set(25.0f)));
  return with_ends_of_log(x, join(parts));
}

HWY_INLINE V log(V x) {
  return log_by_parts(x, [](const LogParts& parts) {
    const V tail = hn::MulAdd(parts.exponent, set(-2.12194440e-4f), parts.tail);
    return hn::MulAdd(parts.exponent, set(0.693359375f), hn::Add(parts.f, tail));
  });
}

// Exact at powers of two. log2(e) is 1 and a rest, so that f loses nothing.
HWY_INLINE V log2(V x) {
  return log_by_parts(x, [](const LogParts& parts) {
    const V natural = hn::Add(parts.f, parts.tail);
    const V rest = hn::MulAdd(natural, set(0.44269504088896341f), parts.tail);
    return hn::Add(parts.exponent, hn::Add(rest, parts.f));
  });
}

// The nearest float at powers of ten: log10(2) is a number of twelve bits, whose products are
// exact, and a rest.
HWY_INLINE V log10(V x) {
  return log_by_parts(x, [](const LogParts& parts) {
    const V rest = hn::Mul(parts.tail, set(0.43429448190325183f));
    const V low = hn::MulAdd(parts.exponent, set(2.48745663981195213739e-4f),
                             hn::MulAdd(parts.f, set(0.43429448190325183f), rest));
    return hn::MulAdd(parts.exponent, set(3.0078125e-1f), low);
  });
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

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
