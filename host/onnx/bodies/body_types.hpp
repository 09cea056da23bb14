#pragma once

#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace switchyard {

/// What the inputs of a node's body are known to be, from the node's own inputs (Loop, Scan).
std::vector<Value> body_inputs(const Graph& graph, const Node& node);

/// What is known of the outputs of a node with bodies (If, Loop, Scan), from its bodies' outputs.
/// Throws Error(model) where a body has not the inputs or outputs that the node needs.
std::vector<Value> body_outputs(const Graph& graph, const Node& node);

}  // namespace switchyard
