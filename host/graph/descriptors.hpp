#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "routing/descriptor.hpp"

namespace switchyard {

/// What is known of a node's inputs before a run, all of them contiguous. Every constant that is no
/// host input has the id 1: good for asking, not for preparing.
std::vector<TensorDescriptor> descriptors_of(const Graph& graph, const Node& node);

}  // namespace switchyard
