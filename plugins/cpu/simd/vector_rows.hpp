// Rows for float tensors made of vector functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "simd/inner_loop.hpp"

namespace cpu {

// A table of rows by the names of their functions, and the row of one; null if it is not there.
struct NamedRow {
  std::string_view name;
  InnerLoop row;
};
template <size_t count>
InnerLoop row_named(const NamedRow (&table)[count], std::string_view name) {
  for (const NamedRow& named : table) {
    if (named.name == name) return named.row;
  }
  return nullptr;
}

// One input and the output, both float; the parameters are UnaryParameters. Null if
// unary_functions.def has none of that name ("Exp", "Gelu", "TanhGelu" ...).
InnerLoop vector_unary_row(std::string_view function);

// Two inputs and the output, all float. Null if binary_functions.def has none of that name.
InnerLoop vector_binary_row(std::string_view function);

// Two float inputs and a bool output: "Equal", "Less" or "LessOrEqual".
InnerLoop vector_comparison_row(std::string_view name);

// A bool input and two of four bytes an element, of which it chooses.
InnerLoop vector_choice_row();

// Five operands, all float: (x - centre) * factor + bias.
InnerLoop vector_affine_row();

// Four operands, all float: x / scale rounded to the nearest integer, ties to even, plus zero.
InnerLoop vector_quantize_row();

}  // namespace cpu
