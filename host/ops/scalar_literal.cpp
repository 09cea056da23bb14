#include "ops/scalar_literal.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include <switchyard/error.hpp>

#include <fmt/format.h>

#include "types/small_floats.hpp"

namespace switchyard {

namespace {

template <typename T>
Literal scalar_of(DType dtype, T value) {
  return Literal::of<T>(dtype, {}, std::span<const T>(&value, 1));
}

/// Without what is behind the point, and no further than the type's ends.
template <typename T>
T nearest(double value) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(value)) return 0;
  if (value >= std::ldexp(1.0, Limits::digits)) return Limits::max();
  return value <= static_cast<double>(Limits::min()) ? Limits::min() : static_cast<T>(value);
}

std::int64_t nearest_packed(DType dtype, double value) {
  const bool is_signed = dtype == DType::int4 || dtype == DType::int2;
  const std::int64_t range = std::int64_t{1} << bit_width(dtype);
  const std::int64_t least = is_signed ? -range / 2 : 0;
  return std::clamp(nearest<std::int64_t>(value), least, least + range - 1);
}

}  // namespace

Literal packed_literal(DType dtype, std::int64_t value) {
  const int mask = (1 << bit_width(dtype)) - 1;
  return scalar_of(dtype, static_cast<std::uint8_t>(value & mask));
}

std::uint16_t float16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  if (std::isnan(value)) return sign | 0x7E00u;
  const float magnitude = std::fabs(value);
  if (magnitude >= 65520.0f) return sign | 0x7C00u;  // half way past the largest, 65504
  if (magnitude < 0x1p-14f) {                        // subnormal: counts of 2^-24
    return sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24f));
  }
  const std::uint32_t rebased = (bits & 0x7FFFFFFFu) - (112u << 23);
  const std::uint32_t rounded = rebased + 0xFFFu + (rebased >> 13 & 1u);
  return sign | static_cast<std::uint16_t>(rounded >> 13);
}

std::uint16_t bfloat16_bits(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

float from_float16_bits(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = half >> 10 & 0x1Fu;
  const std::uint32_t fraction = half & 0x3FFu;
  if (exponent == 0) {  // zero or subnormal: the fraction counts 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255u : exponent + 112;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

float from_bfloat16_bits(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

Literal scalar_literal(DType dtype, double value) {
  switch (dtype) {
    case DType::float32: return scalar_of(dtype, static_cast<float>(value));
    case DType::float64: return scalar_of(dtype, value);
    case DType::float16: return scalar_of(dtype, float16_bits(static_cast<float>(value)));
    case DType::bfloat16: return scalar_of(dtype, bfloat16_bits(static_cast<float>(value)));
    case DType::int8: return scalar_of(dtype, nearest<std::int8_t>(value));
    case DType::int16: return scalar_of(dtype, nearest<std::int16_t>(value));
    case DType::int32: return scalar_of(dtype, nearest<std::int32_t>(value));
    case DType::int64: return scalar_of(dtype, nearest<std::int64_t>(value));
    case DType::uint8: return scalar_of(dtype, nearest<std::uint8_t>(value));
    case DType::uint16: return scalar_of(dtype, nearest<std::uint16_t>(value));
    case DType::uint32: return scalar_of(dtype, nearest<std::uint32_t>(value));
    case DType::uint64: return scalar_of(dtype, nearest<std::uint64_t>(value));
    case DType::bool_: return scalar_of(dtype, static_cast<std::uint8_t>(value != 0));
    case DType::complex64:
      return scalar_of(dtype, std::array<float, 2>{static_cast<float>(value), 0});
    case DType::complex128: return scalar_of(dtype, std::array<double, 2>{value, 0});
    case DType::int4:
    case DType::uint4:
    case DType::int2:
    case DType::uint2: return packed_literal(dtype, nearest_packed(dtype, value));
    case DType::float4e2m1:
    case DType::float8e8m0:
    case DType::float8e4m3fn:
    case DType::float8e4m3fnuz:
    case DType::float8e5m2:
    case DType::float8e5m2fnuz: return scalar_of(dtype, small_float_code(dtype, value));
    default:
      throw Error(ErrorKind::model, fmt::format("{} has no number {}", name_of(dtype), value));
  }
}

}  // namespace switchyard
