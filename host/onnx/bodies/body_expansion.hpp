#pragma once

#include <span>

#include "graph/graph.hpp"

namespace switchyard {

/// The function body of the node's row as a graph, for a node whose op no device takes. `inputs`
/// says what is known of each of the node's inputs (any Value where the node has kAbsent).
///
/// The graph has one entry in `inputs` for each input of the node, kAbsent where the node has none
/// or where `inputs` gives a constant, which is then a constant of the graph; and one in `outputs`
/// for each output of the node, kAbsent where that is not used.
///
/// Throws as function_body() does, and Error(model) if the body cannot take the node's inputs.
Graph expand_body(const Node& node, std::span<const Value> inputs);

}  // namespace switchyard
