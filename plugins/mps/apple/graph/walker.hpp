// From a graph as a value to one of MPSGraph's.
#pragma once

#include <vector>

#include "apple/frameworks.hpp"
#include "seam/graph.hpp"

namespace mps::apple {

struct BuiltGraph {
  MPSGraph* graph;
  std::vector<MPSGraphTensor*> inputs;   // in the order of Graph::inputs
  std::vector<MPSGraphTensor*> outputs;  // in the order of Graph::outputs, each another tensor
};

// Throws Failure: unsupported for what MPSGraph cannot do, invalid for a graph that breaks the
// rules.
BuiltGraph build(const seam::Graph& graph, bool has_bfloat16);

}  // namespace mps::apple
