#pragma once

#include "graph/graph.hpp"
#include "tensor/dispatcher.hpp"

namespace switchyard {

/// Replaces nodes whose inputs are all constant, or whose value follows from known shapes, by their
/// results, as long as a result takes no more than `limit_bytes`. Runs on the host device, once, when a
/// model is loaded. Returns how many nodes went.
std::size_t fold_constants(Graph& graph, Dispatcher& dispatcher, std::size_t limit_bytes);

}  // namespace switchyard
