/// @file
/// The C++ types of elements, among them the 16-bit floats that C++ lacks.
#pragma once

#include <bit>
#include <compare>
#include <concepts>
#include <cstdint>

#include <switchyard/dtype.hpp>

namespace switchyard {

/// IEEE 754 binary16: 11 bits of precision, up to 65504. Conversions from float round to nearest,
/// ties to even; what is too large becomes infinite. Arithmetic is that of float.
class float16 {
 public:
  constexpr float16() = default;
  /// The nearest one, of two the even one.
  constexpr explicit float16(float value) : bits_(rounded(value)) {}
  /// The one with these bits: sign, exponent, fraction.
  static constexpr float16 from_bits(std::uint16_t bits) {
    float16 made;
    made.bits_ = bits;
    return made;
  }

  /// The bits that from_bits() takes.
  constexpr std::uint16_t bits() const { return bits_; }
  /// The same number, exactly.
  constexpr operator float() const {
    const std::uint32_t sign = std::uint32_t{bits_ & 0x8000U} << 16U;
    const std::uint32_t magnitude = bits_ & 0x7fffU;
    if (magnitude >= 0x7c00U) {  // infinity or NaN
      return std::bit_cast<float>(sign | 0x7f800000U | (magnitude & 0x3ffU) << 13U);
    }
    if (magnitude >= 0x400U) {
      return std::bit_cast<float>(sign | ((magnitude << 13U) + 0x38000000U));
    }
    const float subnormal = static_cast<float>(magnitude) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
  }

 private:
  static constexpr std::uint16_t rounded(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16U & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    std::uint32_t half = 0;
    if (magnitude > 0x7f800000U) {
      half = 0x7e00U | (magnitude >> 13U & 0x3ffU);
    } else if (magnitude >= 0x477ff000U) {  // 65520 and more
      half = 0x7c00U;
    } else if (magnitude < 0x38800000U) {  // subnormal: the sum rounds at 2^-24
      half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
    } else {
      half = (magnitude + 0xfffU + (magnitude >> 13U & 1U) - 0x38000000U) >> 13U;
    }
    return static_cast<std::uint16_t>(sign | half);
  }

  std::uint16_t bits_ = 0;
};

/// The upper half of a float: 8 bits of precision, float's range. Conversions from float round to
/// nearest, ties to even. Arithmetic is that of float.
class bfloat16 {
 public:
  constexpr bfloat16() = default;
  /// The nearest one, of two the even one.
  constexpr explicit bfloat16(float value) : bits_(rounded(value)) {}
  /// The one with these bits: sign, exponent, fraction.
  static constexpr bfloat16 from_bits(std::uint16_t bits) {
    bfloat16 made;
    made.bits_ = bits;
    return made;
  }

  /// The bits that from_bits() takes.
  constexpr std::uint16_t bits() const { return bits_; }
  /// The same number, exactly.
  constexpr operator float() const { return std::bit_cast<float>(std::uint32_t{bits_} << 16U); }

 private:
  static constexpr std::uint16_t rounded(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U) return static_cast<std::uint16_t>(bits >> 16U | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U);
  }

  std::uint16_t bits_ = 0;
};

/// The dtype of a C++ type: float, double, float16, bfloat16, bool and the integers of 8 to 64
/// bits. Characters are not numbers: they have none.
template <typename T>
struct DTypeOf {};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::float32;
};
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::float64;
};
template <>
struct DTypeOf<float16> {
  static constexpr DType value = DType::float16;
};
template <>
struct DTypeOf<bfloat16> {
  static constexpr DType value = DType::bfloat16;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::bool_;
};
/// Types of text, which are no numbers here.
template <typename T>
concept CharacterType = std::same_as<T, char> || std::same_as<T, wchar_t> ||
    std::same_as<T, char8_t> || std::same_as<T, char16_t> || std::same_as<T, char32_t>;
template <std::signed_integral T>
requires(!CharacterType<T> && sizeof(T) <= 8) struct DTypeOf<T> {
  static constexpr DType value = sizeof(T) == 1   ? DType::int8
                                 : sizeof(T) == 2 ? DType::int16
                                 : sizeof(T) == 4 ? DType::int32
                                                  : DType::int64;
};
template <std::unsigned_integral T>
requires(!CharacterType<T> && !std::same_as<T, bool> && sizeof(T) <= 8) struct DTypeOf<T> {
  static constexpr DType value = sizeof(T) == 1   ? DType::uint8
                                 : sizeof(T) == 2 ? DType::uint16
                                 : sizeof(T) == 4 ? DType::uint32
                                                  : DType::uint64;
};

/// A C++ type that elements of tensors have.
template <typename T>
concept Element = requires {
  DTypeOf<T>::value;
};

}  // namespace switchyard
