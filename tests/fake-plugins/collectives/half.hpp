// Floats of 16 bits as floats, and back, rounded to the nearest, ties to even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace collective {

inline float float_of_bfloat(uint16_t code) {
  return std::bit_cast<float>(static_cast<uint32_t>(code) << 16U);
}

inline uint16_t bfloat_of_float(float number) {
  const auto bits = std::bit_cast<uint32_t>(number);
  if (std::isnan(number)) return static_cast<uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

inline float float_of_half(uint16_t code) {
  const uint32_t sign = (code & 0x8000U) << 16U;
  const uint32_t exponent = (code >> 10U) & 31U, mantissa = code & 0x3FFU;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000U | mantissa << 13U);
  const float size = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                   : std::ldexp(static_cast<float>(mantissa | 0x400U),
                                                static_cast<int>(exponent) - 25);
  return sign != 0 ? -size : size;
}

inline uint16_t half_of_float(float number) {
  const auto sign = static_cast<uint16_t>((std::bit_cast<uint32_t>(number) >> 16U) & 0x8000U);
  const float size = std::fabs(number);
  if (std::isnan(number)) return sign | 0x7E00U;
  if (size >= 65520.0F) return sign | 0x7C00U;
  // In units of the last digit, which is a power of two: the quotient is exact.
  const int exponent = size < 0x1p-14F ? -14 : std::ilogb(size);
  const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(size, 10 - exponent)));
  // A mantissa that is rounded up to the next power carries into the exponent, as it should.
  const uint32_t code =
      size < 0x1p-14F ? units : (static_cast<uint32_t>(exponent + 15) << 10U) + (units - 0x400U);
  return static_cast<uint16_t>(sign | code);
}

}  // namespace collective
