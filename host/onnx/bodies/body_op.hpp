#pragma once

#include <string>

#include "onnx/graph/name_scope.hpp"
#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"
#include "ops/row.hpp"

namespace switchyard {

/// Puts the body of an op of RunsOn::body in the place of its node, whose attributes are checked
/// and have their defaults. Throws Error(model) where the inputs break the op's rules, or where
/// the op has no body for them.
void read_body_op(Reading& reading, NameScope& scope, const onnx::NodeProto& node, const Op& op,
                  const Attributes& attributes, const std::string& where);

}  // namespace switchyard
