#pragma once

#include <span>

#include "onnx/graph/name_scope.hpp"
#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// Reads a graph into the scope's: inputs, initializers, nodes, outputs. `known_inputs` says what a
/// body's inputs are known to be from outside, in their order; it may be shorter than they are.
/// Returns the inputs that have initializers, which are constants.
std::vector<std::string> read_graph(Reading& reading, NameScope& scope,
                                    const onnx::GraphProto& graph,
                                    std::span<const Value> known_inputs = {});

}  // namespace switchyard
