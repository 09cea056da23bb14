#pragma once

#include "onnx/graph/name_scope.hpp"
#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// Reads one node: a Constant becomes a constant value, a function's call its nodes, any other op
/// one node in canonical form (and those that the rewriting adds).
void read_node(Reading& reading, NameScope& scope, const onnx::NodeProto& node);

}  // namespace switchyard
