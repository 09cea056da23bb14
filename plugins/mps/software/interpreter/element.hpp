// Element types: their sizes, names and kinds, and the two short floats.
#pragma once

#include <cstddef>
#include <cstdint>

#include "seam/graph.hpp"

namespace mps::software::interpreter {

size_t element_bytes(seam::ElementType element);
const char* element_name(seam::ElementType element);
bool is_float(seam::ElementType element);

// Exact.
float float_from_half(uint16_t half);
float float_from_bfloat(uint16_t bfloat);

// To nearest, ties to even; too large becomes infinite, and NaN stays NaN.
uint16_t half_from_float(float number);
uint16_t bfloat_from_float(float number);

// Calls visit(Bits{}) with the unsigned type that is as wide as an element, for what only moves
// elements.
template <typename Visit>
void with_bits_of(seam::ElementType element, Visit visit) {
  switch (element_bytes(element)) {
    case 1: return visit(uint8_t{});
    case 2: return visit(uint16_t{});
    case 4: return visit(uint32_t{});
    default: return visit(uint64_t{});
  }
}

// Calls visit(float{}) for floats, visit(int64_t{}) for integers and booleans: the types in which
// elements are computed.
template <typename Visit>
void with_number_of(seam::ElementType element, Visit visit) {
  if (is_float(element)) {
    visit(float{});
  } else {
    visit(int64_t{});
  }
}

}  // namespace mps::software::interpreter
