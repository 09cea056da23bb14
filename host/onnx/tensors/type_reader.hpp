#pragma once

#include <string>

#include "graph/graph.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// A value as its ValueInfoProto declares it: name, kind, dtype, shape and the names of its
/// symbolic extents, each as far as it is given. Throws Error(model) beginning with `where` on
/// types that no value can have here (maps, sparse tensors, sequences of sequences).
Value read_value_info(const onnx::ValueInfoProto& info, const std::string& where);

/// The type alone, as a value without a name.
Value read_type(const onnx::TypeProto& type, const std::string& where);

/// A value's type for messages: "tensor(float32)", "seq(tensor(int64))", "optional(...)".
std::string describe_type(const Value& value);

}  // namespace switchyard
