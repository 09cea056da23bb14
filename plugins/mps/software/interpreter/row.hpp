// What the interpreter knows of each operation, one row each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "seam/graph.hpp"

namespace mps::software::interpreter {

class Inspection;

// Operations that are computed alike.
enum class Family : uint8_t {
  source,
  unary,
  arithmetic,
  relation,
  form,
  reduction,
  softmax,
  matrix_product,
  window,
  normalize,
  resize
};

// The alternatives of seam::Attributes, in their order.
enum class Kind : uint8_t { none, axes, window, slice, padding, normalization, resizing };

// A set of element types, a bit each.
using Elements = uint16_t;
constexpr Elements bit_of(seam::ElementType element) {
  return static_cast<Elements>(1u << static_cast<unsigned>(element));
}

struct OperationRow {
  seam::Operation operation;
  const char* name;
  Family family;
  Kind attributes;
  size_t operands;    // `any_number`: one or more
  Elements elements;  // that the first operand may have
  void (*rule)(const Inspection&);
};
constexpr size_t any_number = SIZE_MAX;

// Null if there is no such operation.
const OperationRow* row_of(seam::Operation operation);

// "node 3, softmax"
std::string position_of(const seam::Graph& graph, uint32_t number);

}  // namespace mps::software::interpreter
