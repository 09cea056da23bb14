#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace switchyard {

/// What can be known, before a run, of the outputs of a node whose inputs and bodies are read: one
/// nameless value for each output. Throws Error(model) where the inputs break the op's rules; with
/// `is_run_optional` only where types do, as shapes may be wrong in a branch that is never taken.
std::vector<Value> infer_outputs(const Graph& graph, const Node& node, bool is_run_optional);

/// What is known of one value, for inference. Valid until the graph's values change.
ValueInfo info_of(const Graph& graph, ValueId id);

/// The inputs without their shapes and values.
std::vector<ValueInfo> types_only(std::vector<ValueInfo> inputs);

}  // namespace switchyard
