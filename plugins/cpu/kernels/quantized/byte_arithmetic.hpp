// Elementwise loops over bytes that stand for real numbers: bit for bit what DequantizeLinear, the
// op and QuantizeLinear give one after another.
#pragma once

#include <array>
#include <cstdint>

#include "loops/elementwise.hpp"

namespace cpu {

// What the bytes of a tensor stand for: (byte - zero) * scale.
struct ByteScale {
  float scale = 1;
  int32_t zero = 0;
};

struct ByteScales {
  ByteScale left, right, result;
};

// Two inputs and the output, all of `dtype`, int8 or uint8; the parameters are ByteScales.
InnerLoop byte_sum_row(sy_dtype dtype);
InnerLoop byte_product_row(sy_dtype dtype);

// What each byte becomes; the bits of a signed one are its position.
using ByteTable = std::array<uint8_t, 256>;

// One input and the output, of any type of a byte; the parameters are a ByteTable.
InnerLoop byte_table_row();

bool is_identity(const ByteTable& table);

// The bytes of `to` that stand for `function` of the numbers of `from`: a row of one float input
// and output, or null for the numbers themselves.
ByteTable byte_table(sy_dtype dtype, ByteScale from, ByteScale to, InnerLoop function = nullptr,
                     const void* parameters = nullptr);

}  // namespace cpu
