#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/inference.hpp"

namespace switchyard {

/// An einsum equation, read: one subscript a dimension, in order. `...` is written as kEllipsis.
struct EinsumEquation {
  static constexpr char kEllipsis = '.';
  std::vector<std::string> terms;  // one an input
  std::string result;              // derived where the equation has no "->"
};

/// Reads an equation; a malformed one is an Error(model).
EinsumEquation parse_einsum(const Inference& inference, std::string_view equation);

void einsum_shape(Inference& inference);

}  // namespace switchyard
