#pragma once

#include <string>
#include <string_view>

#include "graph/graph.hpp"

namespace switchyard {

/// "a tensor", "a sequence" or "an optional".
std::string_view describe(ValueKind kind);

/// Throws Error(model), beginning with `where`, if a tensor stands where the op takes a sequence or
/// optional, or the other way round.
void check_input_kinds(const Graph& graph, const Node& node, const std::string& where);

/// Sets whether each output is a tensor, a sequence or an optional.
void set_output_kinds(const Graph& graph, const Node& node, std::vector<Value>& outputs);

}  // namespace switchyard
