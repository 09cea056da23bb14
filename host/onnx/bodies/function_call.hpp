#pragma once

#include "onnx/graph/name_scope.hpp"
#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// The function of the model that a node calls, or null.
const onnx::FunctionProto* called_function(const Reading& reading, const onnx::NodeProto& node);

/// Puts the function's nodes in the place of a node that calls it.
void read_call(Reading& reading, NameScope& scope, const onnx::NodeProto& call,
               const onnx::FunctionProto& function);

/// Reads the nodes of a function whose inputs `scope` knows already, with the attributes of `call`.
void read_function_nodes(Reading& reading, NameScope& scope, const onnx::NodeProto& call,
                         const onnx::FunctionProto& function);

}  // namespace switchyard
