#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace switchyard {

/// Which values of a graph the host can know without waiting for data: constants, shapes, integer
/// and bool inputs of the model, loop counters, and what follows from those alone.
using HostDerived = std::vector<bool>;  // by value

/// For a model's graph; a body also inherits what is derived among its captures and inputs.
HostDerived find_host_derived(const Graph& graph, const std::vector<ValueId>& derived_inputs);

/// The inputs of a model's graph that count as derived.
std::vector<ValueId> derived_model_inputs(const Graph& graph);

/// Nodes that are host work: derived, and needed for shapes (host inputs), conditions and loop
/// counts. `required_outputs` are outputs of the graph needed so (a loop body's condition).
std::vector<bool> find_host_work(const Graph& graph, const HostDerived& derived,
                                 const std::vector<ValueId>& required_outputs);

}  // namespace switchyard
