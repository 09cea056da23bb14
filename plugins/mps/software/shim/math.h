// <metal_math>, <metal_integer>, <metal_common>, <metal_relational>, <metal_geometric>: for float,
// half, bfloat and their vectors. Halves are computed in float and rounded once.
#pragma once
#include "software/shim/limits.h"
#include "software/shim/vectors.h"

namespace metal {

// A function of one number, by the compiler's own for float.
#define MSL_UNARY(name, expression)                               \
  inline float name(float x) { return expression; }               \
  inline half name(half x) { return half(name(float(x))); }       \
  inline bfloat name(bfloat x) { return bfloat(name(float(x))); } \
  template <class T, int count>                                   \
  inline vec<T, count> name(vec<T, count> v) {                    \
    return each(v, [](T x) { return name(x); });                  \
  }
MSL_UNARY(exp, __builtin_expf(x))
MSL_UNARY(exp2, __builtin_exp2f(x))
MSL_UNARY(exp10, __builtin_powf(10.0f, x))
MSL_UNARY(log, __builtin_logf(x))
MSL_UNARY(log2, __builtin_log2f(x))
MSL_UNARY(log10, __builtin_log10f(x))
MSL_UNARY(sqrt, __builtin_sqrtf(x))
MSL_UNARY(rsqrt, 1.0f / __builtin_sqrtf(x))
MSL_UNARY(sin, __builtin_sinf(x))
MSL_UNARY(cos, __builtin_cosf(x))
MSL_UNARY(tan, __builtin_tanf(x))
MSL_UNARY(asin, __builtin_asinf(x))
MSL_UNARY(acos, __builtin_acosf(x))
MSL_UNARY(atan, __builtin_atanf(x))
MSL_UNARY(sinh, __builtin_sinhf(x))
MSL_UNARY(cosh, __builtin_coshf(x))
MSL_UNARY(tanh, __builtin_tanhf(x))
MSL_UNARY(asinh, __builtin_asinhf(x))
MSL_UNARY(acosh, __builtin_acoshf(x))
MSL_UNARY(atanh, __builtin_atanhf(x))
MSL_UNARY(floor, __builtin_floorf(x))
MSL_UNARY(ceil, __builtin_ceilf(x))
MSL_UNARY(trunc, __builtin_truncf(x))
MSL_UNARY(rint, __builtin_rintf(x))
MSL_UNARY(round, __builtin_roundf(x))
MSL_UNARY(fract, __builtin_fminf(x - __builtin_floorf(x), 0.99999994f))
MSL_UNARY(fabs, __builtin_fabsf(x))
MSL_UNARY(sign, x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : x == 0.0f ? x : 0.0f)
MSL_UNARY(saturate, __builtin_fminf(__builtin_fmaxf(x, 0.0f), 1.0f))
#undef MSL_UNARY

#define MSL_BINARY(name, expression)                                                  \
  inline float name(float x, float y) { return expression; }                          \
  inline half name(half x, half y) { return half(name(float(x), float(y))); }         \
  inline bfloat name(bfloat x, bfloat y) { return bfloat(name(float(x), float(y))); } \
  template <class T, int count, class = enable_if_t<is_floating_point_v<T>>>          \
  inline vec<T, count> name(vec<T, count> a, vec<T, count> b) {                       \
    for (int i = 0; i < count; ++i) a.e[i] = name(a.e[i], b.e[i]);                    \
    return a;                                                                         \
  }
MSL_BINARY(pow, __builtin_powf(x, y))
MSL_BINARY(powr, __builtin_powf(x, y))
MSL_BINARY(fmod, __builtin_fmodf(x, y))
MSL_BINARY(atan2, __builtin_atan2f(x, y))
MSL_BINARY(copysign, __builtin_copysignf(x, y))
MSL_BINARY(fmin, __builtin_fminf(x, y))
MSL_BINARY(fmax, __builtin_fmaxf(x, y))
MSL_BINARY(min, __builtin_fminf(x, y))
MSL_BINARY(max, __builtin_fmaxf(x, y))
MSL_BINARY(step, y < x ? 0.0f : 1.0f)
MSL_BINARY(fdim, __builtin_fdimf(x, y))
#undef MSL_BINARY

#define MSL_TERNARY(name, expression)                                                           \
  inline float name(float x, float y, float z) { return expression; }                           \
  inline half name(half x, half y, half z) { return half(name(float(x), float(y), float(z))); } \
  inline bfloat name(bfloat x, bfloat y, bfloat z) {                                            \
    return bfloat(name(float(x), float(y), float(z)));                                          \
  }                                                                                             \
  template <class T, int count, class = enable_if_t<is_floating_point_v<T>>>                    \
  inline vec<T, count> name(vec<T, count> a, vec<T, count> b, vec<T, count> c) {                \
    for (int i = 0; i < count; ++i) a.e[i] = name(a.e[i], b.e[i], c.e[i]);                      \
    return a;                                                                                   \
  }
MSL_TERNARY(fma, __builtin_fmaf(x, y, z))
MSL_TERNARY(clamp, __builtin_fminf(__builtin_fmaxf(x, y), z))
MSL_TERNARY(mix, x + (y - x) * z)
#undef MSL_TERNARY

inline float ldexp(float x, int exponent) { return __builtin_ldexpf(x, exponent); }

// Integers.
#define MSL_INTEGER(T)                             \
  inline T min(T a, T b) { return b < a ? b : a; } \
  inline T max(T a, T b) { return a < b ? b : a; } \
  inline T clamp(T x, T least, T most) { return min(max(x, least), most); }
MSL_INTEGER(char)
MSL_INTEGER(signed char)
MSL_INTEGER(uchar)
MSL_INTEGER(short)
MSL_INTEGER(ushort)
MSL_INTEGER(int)
MSL_INTEGER(uint)
MSL_INTEGER(long)
MSL_INTEGER(ulong)
#undef MSL_INTEGER
template <class T, int count, class = enable_if_t<is_integral_v<T>>, class = void>
inline vec<T, count> min(vec<T, count> a, vec<T, count> b) {
  for (int i = 0; i < count; ++i) a.e[i] = min(a.e[i], b.e[i]);
  return a;
}
template <class T, int count, class = enable_if_t<is_integral_v<T>>, class = void>
inline vec<T, count> max(vec<T, count> a, vec<T, count> b) {
  for (int i = 0; i < count; ++i) a.e[i] = max(a.e[i], b.e[i]);
  return a;
}
template <class T, int count, class = enable_if_t<is_integral_v<T>>, class = void>
inline vec<T, count> clamp(vec<T, count> x, vec<T, count> least, vec<T, count> most) {
  return min(max(x, least), most);
}
template <class T, int count>
inline vec<T, count> clamp(vec<T, count> x, as<T> least, as<T> most) {
  return clamp(x, vec<T, count>(least), vec<T, count>(most));
}

template <class T, class = enable_if_t<is_integral_v<T>>>
inline T popcount(T x) {
  return T(__builtin_popcountl(ulong(x) << (64 - sizeof(T) * 8)));
}
inline float abs(float x) { return fabs(x); }
inline half abs(half x) { return fabs(x); }
inline bfloat abs(bfloat x) { return fabs(x); }
template <class T, class = enable_if_t<is_integral_v<T>>>
inline T abs(T x) {
  return x < T(0) ? T(0 - ulong(x)) : x;
}
template <class T, int count>
inline vec<T, count> abs(vec<T, count> v) {
  return each(v, [](T x) { return abs(x); });
}

inline int mulhi(int a, int b) { return int((long(a) * long(b)) >> 32); }
inline uint mulhi(uint a, uint b) { return uint((ulong(a) * ulong(b)) >> 32); }
inline long mulhi(long a, long b) { return long((__int128(a) * b) >> 64); }
inline ulong mulhi(ulong a, ulong b) {
  return ulong((static_cast<unsigned __int128>(a) * b) >> 64);
}
inline uint clz(uint x) { return x ? uint(__builtin_clz(x)) : 32u; }
inline uint ctz(uint x) { return x ? uint(__builtin_ctz(x)) : 32u; }
inline ulong clz(ulong x) { return x ? ulong(__builtin_clzl(x)) : 64ul; }
inline ulong ctz(ulong x) { return x ? ulong(__builtin_ctzl(x)) : 64ul; }
template <class T, class = enable_if_t<is_unsigned_integer_v<T>>>
inline T rotate(T x, as<T> by) {
  constexpr uint bits = sizeof(T) * 8;
  const uint shift = uint(by) % bits;
  return shift ? T((x << shift) | (x >> (bits - shift))) : x;
}

// Relations.
#define MSL_RELATION(name, expression)                  \
  inline bool name(float x) { return expression; }      \
  inline bool name(half x) { return name(float(x)); }   \
  inline bool name(bfloat x) { return name(float(x)); } \
  template <class T, int count>                         \
  inline vec<bool, count> name(vec<T, count> v) {       \
    return each(v, [](T x) { return name(x); });        \
  }
MSL_RELATION(isnan, x != x)
MSL_RELATION(isinf, __builtin_fabsf(x) == __builtin_inff())
MSL_RELATION(isfinite, __builtin_fabsf(x) < __builtin_inff())
MSL_RELATION(isnormal, __builtin_fabsf(x) < __builtin_inff() && __builtin_fabsf(x) >= FLT_MIN)
MSL_RELATION(signbit, __builtin_signbit(x) != 0)
#undef MSL_RELATION

template <int count>
inline bool any(vec<bool, count> v) {
  bool result = false;
  for (int i = 0; i < count; ++i) result = result || v.e[i];
  return result;
}
template <int count>
inline bool all(vec<bool, count> v) {
  bool result = true;
  for (int i = 0; i < count; ++i) result = result && v.e[i];
  return result;
}
inline bool any(bool v) { return v; }
inline bool all(bool v) { return v; }

template <class T>
inline T select(T if_false, T if_true, bool condition) {
  return condition ? if_true : if_false;
}
template <class T, int count>
inline vec<T, count> select(vec<T, count> if_false, vec<T, count> if_true,
                            vec<bool, count> condition) {
  for (int i = 0; i < count; ++i) {
    if (condition.e[i]) if_false.e[i] = if_true.e[i];
  }
  return if_false;
}

template <class T, int count>
inline T dot(vec<T, count> a, vec<T, count> b) {
  T sum = T(0);
  for (int i = 0; i < count; ++i) sum = T(sum + a.e[i] * b.e[i]);
  return sum;
}
template <class T, int count>
inline T length(vec<T, count> a) {
  return sqrt(dot(a, a));
}

template <class T, class U>
inline T as_type(U value) {
  static_assert(sizeof(T) == sizeof(U), "as_type needs two types of one size");
  T result;
  __builtin_memcpy(&result, &value, sizeof result);
  return result;
}

// Every function here is precise; the fast variants may be so too.
namespace precise {
using namespace metal;
}
namespace fast {
using namespace metal;
}

}  // namespace metal

using metal::as_type;
