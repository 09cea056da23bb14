// numeric_limits and the constants of <metal_limits> and <metal_math>.
#pragma once
#include "software/shim/scalars.h"

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VALF __builtin_inff()
#define FLT_MAX 3.40282346638528859812e+38f
#define FLT_MIN 1.17549435082228750797e-38f
#define FLT_EPSILON 1.1920928955078125e-07f
#define HALF_MAX (half(65504.0f))
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1)
#define M_PI_F 3.14159265358979323846f
#define M_PI_2_F 1.57079632679489661923f
#define M_PI_4_F 0.78539816339744830962f
#define M_1_PI_F 0.31830988618379067154f
#define M_2_PI_F 0.63661977236758134308f
#define M_2_SQRTPI_F 1.12837916709551257390f
#define M_SQRT2_F 1.41421356237309504880f
#define M_SQRT1_2_F 0.70710678118654752440f
#define M_E_F 2.71828182845904523536f
#define M_LOG2E_F 1.44269504088896340736f
#define M_LOG10E_F 0.43429448190325182765f
#define M_LN2_F 0.69314718055994530942f
#define M_LN10_F 2.30258509299404568402f

namespace metal {

template <class T>
struct numeric_limits;

template <>
struct numeric_limits<float> {
  static constexpr float max() { return FLT_MAX; }
  static constexpr float min() { return FLT_MIN; }
  static constexpr float lowest() { return -FLT_MAX; }
  static constexpr float epsilon() { return FLT_EPSILON; }
  static constexpr float infinity() { return __builtin_inff(); }
  static constexpr float quiet_NaN() { return __builtin_nanf(""); }
};

template <>
struct numeric_limits<half> {
  static constexpr half max() { return half(65504.0f); }
  static constexpr half min() { return half(6.103515625e-05f); }
  static constexpr half lowest() { return half(-65504.0f); }
  static constexpr half epsilon() { return half(9.765625e-04f); }
  static constexpr half infinity() { return half(__builtin_inff()); }
  static constexpr half quiet_NaN() { return half(__builtin_nanf("")); }
};

template <>
struct numeric_limits<bfloat> {
  static bfloat max() { return bfloat(3.38953138925153547590e+38f); }
  static bfloat min() { return bfloat(FLT_MIN); }
  static bfloat lowest() { return bfloat(-3.38953138925153547590e+38f); }
  static bfloat epsilon() { return bfloat(0.0078125f); }
  static bfloat infinity() { return bfloat(__builtin_inff()); }
  static bfloat quiet_NaN() { return bfloat(__builtin_nanf("")); }
};

template <class T>
struct integer_limits {
  static constexpr bool is_signed = T(-1) < T(1);
  static constexpr int bits = int(sizeof(T)) * 8 - (is_signed ? 1 : 0);
  static constexpr T max() { return T((((ulong(1) << (bits - 1)) - 1) << 1) + 1); }
  static constexpr T min() { return is_signed ? T(-max() - 1) : T(0); }
  static constexpr T lowest() { return min(); }
};
template <>
struct numeric_limits<char> : integer_limits<char> {};
template <>
struct numeric_limits<signed char> : integer_limits<signed char> {};
template <>
struct numeric_limits<uchar> : integer_limits<uchar> {};
template <>
struct numeric_limits<short> : integer_limits<short> {};
template <>
struct numeric_limits<ushort> : integer_limits<ushort> {};
template <>
struct numeric_limits<int> : integer_limits<int> {};
template <>
struct numeric_limits<uint> : integer_limits<uint> {};
template <>
struct numeric_limits<long> : integer_limits<long> {};
template <>
struct numeric_limits<ulong> : integer_limits<ulong> {};
template <>
struct numeric_limits<bool> {
  static constexpr bool max() { return true; }
  static constexpr bool min() { return false; }
  static constexpr bool lowest() { return false; }
};

}  // namespace metal
