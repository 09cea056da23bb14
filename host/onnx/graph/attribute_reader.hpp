#pragma once

#include <string>

#include "onnx/files/external_data.hpp"
#include "onnx/schema.hpp"
#include "onnx/tensors/dense_budget.hpp"
#include "ops/attributes.hpp"

namespace switchyard {

/// The graph that an attribute holds, or null if it holds something else. Throws Error(model)
/// beginning with `where`.
const onnx::GraphProto* body_of(const onnx::AttributeProto& attribute, const std::string& where);

/// Any other attribute's value. A type becomes its text ("seq(tensor(float32))"). Throws
/// Error(model) beginning with `where`.
AttributeValue attribute_value(const onnx::AttributeProto& attribute, ExternalData& external,
                               const std::string& where);

/// The contents of a Constant node, whichever of its attributes holds them.
Literal constant_value(const onnx::NodeProto& node, ExternalData& external, DenseBudget& budget,
                       const std::string& where);

/// The attribute as a message, for handing a node's attributes to a function body.
onnx::AttributeProto to_message(const std::string& name, const AttributeValue& value);

}  // namespace switchyard
