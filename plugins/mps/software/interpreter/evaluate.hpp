// One node of a graph.
#pragma once

#include <vector>

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

// Computes `node`, which is not an input, from its operands' values.
Value evaluate(const seam::Node& node, const std::vector<const Value*>& operands);

}  // namespace mps::software::interpreter
