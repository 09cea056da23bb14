// Element types that C++ lacks, and conversions between numbers. All round to nearest, ties to
// even, once: a double becomes a float16 without a float in between.
#pragma once

#include <switchyard/plugin.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "switchyard/plugin/dtype.hpp"

namespace cpu {

struct Float16 {
  uint16_t bits;
};
struct BFloat16 {
  uint16_t bits;
};

// An 8-bit float: its exponent's bits and bias, and whether it is of the FNUZ kind, which has no
// negative zero and no infinity and writes NaN as 0x80.
template <int ExponentBits, int Bias, bool Fnuz>
struct Float8 {
  uint8_t bits;
};
using Float8E4M3FN = Float8<4, 7, false>;  // no infinity; NaN is 0x7f
using Float8E4M3FNUZ = Float8<4, 8, true>;
using Float8E5M2 = Float8<5, 15, false>;  // as IEEE 754
using Float8E5M2FNUZ = Float8<5, 16, true>;

// A power of two: its exponent, biased by 127. No sign, no zero, no infinity; NaN is 0xff.
struct Float8E8M0 {
  uint8_t bits;
};

// ---- float16 and bfloat16

inline float to_float(Float16 half) noexcept {
  const uint32_t sign = uint32_t{half.bits & 0x8000u} << 16;
  const uint32_t magnitude = half.bits & 0x7fffu;
  if (magnitude >= 0x7c00u) {  // infinity, or a NaN that is made quiet
    const uint32_t quiet = magnitude > 0x7c00u ? 0x400000u : 0u;
    return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13 | quiet);
  }
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float subnormal = static_cast<float>(magnitude) * 0x1p-24f;
  return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(subnormal));
}

inline float to_float(BFloat16 brain) noexcept {
  return std::bit_cast<float>(uint32_t{brain.bits} << 16);
}

inline Float16 to_float16(float number) noexcept {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  const uint32_t magnitude = bits & 0x7fffffffu;
  uint32_t half;
  if (magnitude > 0x7f800000u) {
    half = 0x7e00u | (magnitude >> 13 & 0x3ffu);
  } else if (magnitude >= 0x477ff000u) {  // 65520 and above round to infinity
    half = 0x7c00u;
  } else if (magnitude < 0x38800000u) {  // subnormal: the addition below rounds at 2^-24
    half = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  } else {
    half = (magnitude + 0xfffu + (magnitude >> 13 & 1u) - 0x38000000u) >> 13;
  }
  return {static_cast<uint16_t>(sign | half)};
}

inline BFloat16 to_bfloat16(float number) noexcept {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return {static_cast<uint16_t>(bits >> 16 | 0x40u)};
  return {static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16)};
}

// The float next to `number` whose last bit is set where the conversion is not exact: rounding it
// again to fewer bits gives what rounding `number` itself would.
inline float round_to_odd(double number) noexcept {
  const auto rounded = static_cast<float>(number);
  if (static_cast<double>(rounded) == number || std::isnan(number)) return rounded;
  const uint32_t bits = std::bit_cast<uint32_t>(rounded);
  if ((bits & 1u) != 0) return rounded;
  const bool too_far = std::abs(static_cast<double>(rounded)) > std::abs(number);
  return std::bit_cast<float>(too_far ? bits - 1 : bits + 1);
}

inline Float16 to_float16(double number) noexcept { return to_float16(round_to_odd(number)); }
inline BFloat16 to_bfloat16(double number) noexcept { return to_bfloat16(round_to_odd(number)); }

// ---- 8-bit floats

template <int E, int B, bool F>
inline float to_float(Float8<E, B, F> small) noexcept {
  constexpr int mantissa_bits = 7 - E;
  const int magnitude = small.bits & 0x7f;
  const int exponent = magnitude >> mantissa_bits;
  const int mantissa = magnitude & ((1 << mantissa_bits) - 1);
  const float sign = (small.bits & 0x80) != 0 ? -1.0f : 1.0f;
  if constexpr (F) {
    if (small.bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
  } else if constexpr (E == 4) {
    if (magnitude == 0x7f) return std::copysign(std::numeric_limits<float>::quiet_NaN(), sign);
  } else if (exponent == 31) {
    return mantissa == 0 ? sign * std::numeric_limits<float>::infinity()
                         : std::copysign(std::numeric_limits<float>::quiet_NaN(), sign);
  }
  const int significand = exponent == 0 ? mantissa : mantissa | 1 << mantissa_bits;
  const int scale = (exponent == 0 ? 1 : exponent) - B - mantissa_bits;
  return sign * std::ldexp(static_cast<float>(significand), scale);
}

namespace detail {
template <typename T>
struct Float8Codes;  // the codes that a conversion may end at, without the sign
template <>
struct Float8Codes<Float8E4M3FN> {
  static constexpr int largest = 0x7e, infinity = 0x7f, nan = 0x7f;
};
template <>
struct Float8Codes<Float8E4M3FNUZ> {
  static constexpr int largest = 0x7f, infinity = 0x80, nan = 0x80;
};
template <>
struct Float8Codes<Float8E5M2> {
  static constexpr int largest = 0x7b, infinity = 0x7c, nan = 0x7f;
};
template <>
struct Float8Codes<Float8E5M2FNUZ> {
  static constexpr int largest = 0x7f, infinity = 0x80, nan = 0x80;
};
}  // namespace detail

// ONNX's Cast, as its newest table has it: with `saturate`, numbers beyond the largest become the
// largest, infinity too; without, they become infinity, or NaN where there is none.
template <typename T>
struct ToFloat8;
template <int E, int B, bool F>
struct ToFloat8<Float8<E, B, F>> {
  using Codes = detail::Float8Codes<Float8<E, B, F>>;

  static Float8<E, B, F> from(float number, bool saturate) noexcept {
    const uint32_t bits = std::bit_cast<uint32_t>(number);
    const int sign = static_cast<int>(bits >> 24 & 0x80u);
    if (std::isnan(number)) return code(sign, Codes::nan);
    if (std::isinf(number)) return code(sign, saturate ? Codes::largest : Codes::infinity);
    const int magnitude = round_magnitude(std::abs(number));
    if (magnitude > Codes::largest) return code(sign, saturate ? Codes::largest : Codes::infinity);
    if (F && magnitude == 0) return {0};
    return code(sign, magnitude);
  }

 private:
  static constexpr int mantissa_bits = 7 - E;

  static Float8<E, B, F> code(int sign, int magnitude) noexcept {
    if (F && magnitude == 0x80) return {0x80};
    return {static_cast<uint8_t>(sign | magnitude)};
  }

  // The code of the nearest number, as if exponents went on past the largest.
  static int round_magnitude(float number) noexcept {
    if (number == 0.0f) return 0;
    int exponent = std::ilogb(number);
    if (exponent < 1 - B) exponent = 1 - B;
    const float scaled = std::ldexp(number, mantissa_bits - exponent);
    const int significand = static_cast<int>(std::nearbyint(scaled));
    return ((exponent + B - 1) << mantissa_bits) + significand;
  }
};

// ---- powers of two

inline float to_float(Float8E8M0 power) noexcept {
  if (power.bits == 0xff) return std::numeric_limits<float>::quiet_NaN();
  return std::ldexp(1.0f, power.bits - 127);
}

enum class PowerRounding : uint8_t { up, down, nearest };  // ties of `nearest` go up

// ONNX's Cast: with `saturate`, what is too large, or too small, becomes the largest or smallest
// power; without, NaN. The sign is dropped, as ONNX leaves negative numbers open.
inline Float8E8M0 to_float8e8m0(double number, bool saturate,
                                PowerRounding rounding = PowerRounding::up) noexcept {
  constexpr uint8_t nan = 0xff, largest = 0xfe;
  if (std::isnan(number)) return {nan};
  const double magnitude = std::abs(number);
  if (std::isinf(magnitude)) return {saturate ? largest : nan};
  int exponent = 0;  // magnitude is a fraction in [0.5, 1) times its power of two
  const double fraction = std::frexp(magnitude, &exponent);
  int code = magnitude == 0 ? -1 : exponent - 1 + 127;
  if (magnitude != 0) {
    if (rounding == PowerRounding::up && fraction > 0.5) ++code;
    if (rounding == PowerRounding::nearest && fraction >= 0.75) ++code;
  }
  if (code < 0) return {saturate ? uint8_t{0} : nan};
  if (code > largest) return {saturate ? largest : nan};
  return {static_cast<uint8_t>(code)};
}

// ---- 4-bit floats, which have codes and no type: a sign, two bits of exponent, one of fraction

inline constexpr float float4_magnitudes[8] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

inline float float4_to_float(int code) noexcept {
  const float magnitude = float4_magnitudes[code & 7];
  return (code & 8) != 0 ? -magnitude : magnitude;
}

// To the nearest, ties to even; saturated; NaN as 0 with the sign set.
inline int to_float4(double number) noexcept {
  if (std::isnan(number)) return 8;
  const int sign = std::signbit(number) ? 8 : 0;
  const double magnitude = std::abs(number);
  for (int code = 0; code < 7; ++code) {
    const double middle = (double{float4_magnitudes[code]} + float4_magnitudes[code + 1]) / 2;
    if (magnitude < middle || (magnitude == middle && code % 2 == 0)) return sign | code;
  }
  return sign | 7;
}

// ---- any to any

template <typename T>
inline constexpr bool is_small_float = std::is_class_v<T>;
template <typename T>
inline constexpr bool is_float8 =
    std::is_same_v<T, Float8E4M3FN> || std::is_same_v<T, Float8E4M3FNUZ> ||
    std::is_same_v<T, Float8E5M2> || std::is_same_v<T, Float8E5M2FNUZ> ||
    std::is_same_v<T, Float8E8M0>;

// A C++ number that holds every value of T: float for the small floats, else T itself.
template <typename T>
using Wide = std::conditional_t<is_small_float<T>, float, T>;

template <typename T>
Wide<T> widen(T number) noexcept {
  if constexpr (is_small_float<T>) {
    return to_float(number);
  } else {
    return number;
  }
}

// A floating number as an integer: towards zero, saturated, NaN as 0. ONNX leaves values out of
// range undefined; here they are the same on every machine.
template <typename To, typename From>
To truncate(From number) noexcept {
  constexpr auto limit = static_cast<From>(std::numeric_limits<To>::max() / 2 + 1) * From{2};
  if (std::isnan(number)) return 0;
  if (number >= limit) return std::numeric_limits<To>::max();
  if (number < static_cast<From>(std::numeric_limits<To>::min())) {
    return std::numeric_limits<To>::min();
  }
  return static_cast<To>(number);
}

// ONNX's Cast of one number; `saturate` is for 8-bit floats. Integers wrap; bool is `!= 0`.
template <typename To, typename From>
To convert(From from, bool saturate = true) noexcept {
  const auto number = widen(from);
  using Number = decltype(number);
  using Plain = std::remove_const_t<Number>;
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else if constexpr (std::is_same_v<To, bool>) {
    return number != 0;
  } else if constexpr (is_small_float<To>) {
    using Via = std::conditional_t<std::is_same_v<Plain, float>, float, double>;
    const auto via = static_cast<Via>(number);
    if constexpr (std::is_same_v<To, Float16>) {
      return to_float16(via);
    } else if constexpr (std::is_same_v<To, BFloat16>) {
      return to_bfloat16(via);
    } else if constexpr (std::is_same_v<To, Float8E8M0>) {
      return to_float8e8m0(static_cast<double>(via), saturate);
    } else if constexpr (std::is_same_v<Via, double>) {
      return ToFloat8<To>::from(round_to_odd(via), saturate);
    } else {
      return ToFloat8<To>::from(via, saturate);
    }
  } else if constexpr (std::is_floating_point_v<Plain> && std::is_integral_v<To>) {
    return truncate<To>(number);
  } else {
    return static_cast<To>(number);
  }
}

template <typename T>
bool is_nan(T number) noexcept {
  if constexpr (std::is_integral_v<T>) {
    return false;
  } else {
    return std::isnan(widen(number));
  }
}

}  // namespace cpu

namespace sy {
template <>
struct DtypeOf<cpu::Float16> {
  static constexpr sy_dtype value = SY_FLOAT16;
};
template <>
struct DtypeOf<cpu::BFloat16> {
  static constexpr sy_dtype value = SY_BFLOAT16;
};
template <>
struct DtypeOf<cpu::Float8E4M3FN> {
  static constexpr sy_dtype value = SY_FLOAT8E4M3FN;
};
template <>
struct DtypeOf<cpu::Float8E4M3FNUZ> {
  static constexpr sy_dtype value = SY_FLOAT8E4M3FNUZ;
};
template <>
struct DtypeOf<cpu::Float8E5M2> {
  static constexpr sy_dtype value = SY_FLOAT8E5M2;
};
template <>
struct DtypeOf<cpu::Float8E8M0> {
  static constexpr sy_dtype value = SY_FLOAT8E8M0;
};
template <>
struct DtypeOf<cpu::Float8E5M2FNUZ> {
  static constexpr sy_dtype value = SY_FLOAT8E5M2FNUZ;
};
}  // namespace sy
