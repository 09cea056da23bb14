#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "graph/graph.hpp"
#include "routing/verdict.hpp"

namespace switchyard {

class OpenDevice;

/// Who runs a node of a graph.
struct Assignment {
  std::shared_ptr<OpenDevice> device;  // that takes programs; null: the node is run by itself
  bool is_view = false;                // would run on no device if it were by itself
  Trail trail = {};                    // of verdicts, the device's last; empty for views
};

/// Nodes that are run at once, in an order in which each value is made before it is used.
struct Part {
  OpenDevice* device = nullptr;    // null: one node, run by itself
  std::vector<std::size_t> nodes;  // of the graph
};

/// Joins nodes of one device, as many as can be without one part waiting for another that waits for
/// it, and orders the parts so that each value is made before it is used. A part has two nodes or
/// more that are not views, and does not end in a view; `whole` keeps all nodes of a device
/// together instead. Parts larger than their device's limit are cut.
std::vector<Part> partition(const Graph& graph, std::span<const Assignment> assignments,
                            bool whole = false);

}  // namespace switchyard
