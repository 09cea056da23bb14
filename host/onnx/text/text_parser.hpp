#pragma once

#include <string_view>

#include "onnx/schema.hpp"

namespace switchyard {

// The part of ONNX's text syntax in which op rows give function bodies, and tests give graphs:
//
//   (X) => (Y) {
//     Alpha = Constant <value_float: float = @alpha> ()
//     Y = Mul (X, Alpha)
//   }
//
// Attributes: numbers, "texts", lists of these, tensors (`int64[2] {1, 2}`), graphs, and references
// to the function's own attributes (`@alpha`). A text that breaks the syntax is an Error(internal).

/// A function of the given inputs and outputs.
onnx::FunctionProto parse_function_text(std::string_view text);

/// A graph: `name (float[N,3] x) => (float[N] y) <float[1] w = {0.5}> { ... }`. A type without
/// brackets is a scalar, with empty ones of unknown rank; it may also be left out.
onnx::GraphProto parse_graph_text(std::string_view text);

}  // namespace switchyard
