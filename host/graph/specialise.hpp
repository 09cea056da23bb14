#pragma once

#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "tensor/dispatcher.hpp"

namespace switchyard {

/// A node that became a constant when its model was loaded.
struct FoldedNode {
  std::string name;
  std::string op;
};

/// Walks a graph once, in order: tells each value's type and shape as far as they follow from what
/// is known, and replaces nodes whose inputs are all constant, or whose value follows from known
/// shapes, by their results, as long as a result takes no more than `limit_bytes`, and what all of
/// them read and make no more than 4 times as much and 64 times the constants that the graph has.
/// Results are computed on the host device. Returns the nodes that went, those of bodies included.
std::vector<FoldedNode> specialise(Graph& graph, Dispatcher& dispatcher, std::size_t limit_bytes);

}  // namespace switchyard
