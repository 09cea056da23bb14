#include "software/interpreter/element.hpp"

#include <array>
#include <bit>
#include <cmath>

namespace mps::software::interpreter {

using seam::ElementType;

namespace {

struct ElementRow {
  ElementType element;
  const char* name;
  size_t bytes;
};

constexpr std::array<ElementRow, 9> element_rows = {{{ElementType::float32, "float32", 4},
                                                     {ElementType::float16, "float16", 2},
                                                     {ElementType::bfloat16, "bfloat16", 2},
                                                     {ElementType::int8, "int8", 1},
                                                     {ElementType::uint8, "uint8", 1},
                                                     {ElementType::int16, "int16", 2},
                                                     {ElementType::int32, "int32", 4},
                                                     {ElementType::int64, "int64", 8},
                                                     {ElementType::boolean, "boolean", 1}}};

constexpr bool in_order() {
  for (size_t i = 0; i < element_rows.size(); ++i) {
    if (static_cast<size_t>(element_rows[i].element) != i) return false;
  }
  return true;
}
static_assert(in_order());

const ElementRow& row_of_element(ElementType element) {
  return element_rows.at(static_cast<size_t>(element));
}

// `mantissa` / 2^`shift`, to nearest, ties to even.
uint32_t shifted_to_nearest(uint32_t mantissa, int shift) {
  const uint32_t whole = mantissa >> shift;
  const uint32_t rest = mantissa & ((uint32_t{1} << shift) - 1);
  const uint32_t half = uint32_t{1} << (shift - 1);
  return whole + (rest > half || (rest == half && (whole & 1) != 0) ? 1 : 0);
}

}  // namespace

size_t element_bytes(ElementType element) { return row_of_element(element).bytes; }

const char* element_name(ElementType element) { return row_of_element(element).name; }

bool is_float(ElementType element) {
  return element == ElementType::float32 || element == ElementType::float16 ||
         element == ElementType::bfloat16;
}

float float_from_half(uint16_t half) {
  const uint32_t sign = uint32_t{half} >> 15 << 31;
  const uint32_t exponent = half >> 10 & 31;
  const uint32_t mantissa = half & 1023;
  if (exponent == 0) {
    const float size = std::ldexp(static_cast<float>(mantissa), -24);
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(size));
  }
  const uint32_t wide_exponent = exponent == 31 ? 255 : exponent + 112;
  return std::bit_cast<float>(sign | wide_exponent << 23 | mantissa << 13);
}

float float_from_bfloat(uint16_t bfloat) { return std::bit_cast<float>(uint32_t{bfloat} << 16); }

uint16_t half_from_float(float number) {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  const uint32_t sign = bits >> 16 & 0x8000;
  if (std::isnan(number)) return static_cast<uint16_t>(sign | 0x7e00);
  const int exponent = static_cast<int>(bits >> 23 & 255) - 112;  // as float16 biases it
  const uint32_t mantissa = (bits & 0x7fffff) | 0x800000;
  if (exponent >= 31) return static_cast<uint16_t>(sign | 0x7c00);
  if (exponent < -10) return static_cast<uint16_t>(sign);
  // A carry out of the mantissa goes into the exponent, and from the largest number to infinity.
  const uint32_t size =
      exponent > 0 ? (static_cast<uint32_t>(exponent) - 1) * 1024 + shifted_to_nearest(mantissa, 13)
                   : shifted_to_nearest(mantissa, 14 - exponent);
  return static_cast<uint16_t>(sign | size);
}

uint16_t bfloat_from_float(float number) {
  const uint32_t bits = std::bit_cast<uint32_t>(number);
  if (std::isnan(number)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>(shifted_to_nearest(bits, 16));
}

}  // namespace mps::software::interpreter
