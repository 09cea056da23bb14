#pragma once

#include <cstdint>

#include "ops/literal.hpp"

namespace switchyard {

/// A rank-0 literal of a numeric type or bool; the value is rounded to nearest even, or to infinity
/// where a floating-point type does not reach it; types/small_floats.hpp says what those of 8 and 4
/// bits have. Integers lose what is behind the point, and end at the ends of their type; NaN is 0.
/// Other types, complex ones among them, are an Error(model).
Literal scalar_literal(DType dtype, double value);

/// A rank-0 literal of an integer type of fewer than 8 bits, which keeps the lowest of the value's.
Literal packed_literal(DType dtype, std::int64_t value);

/// The bits of the nearest float16 and bfloat16, ties to even.
std::uint16_t float16_bits(float value);
std::uint16_t bfloat16_bits(float value);

/// The value of float16 and bfloat16 bits.
float from_float16_bits(std::uint16_t bits);
float from_bfloat16_bits(std::uint16_t bits);

}  // namespace switchyard
