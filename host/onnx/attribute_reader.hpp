#pragma once

#include <string>

#include "onnx/external_data.hpp"
#include "onnx/schema.hpp"
#include "ops/attributes.hpp"

namespace switchyard {

/// The graph that an attribute holds, or null if it holds something else.
onnx::GraphProto* body_of(onnx::AttributeProto& attribute);

/// Any other attribute's value. A type becomes its text ("seq(tensor(float32))"). Takes large
/// tensors out of the message. Throws Error(model) beginning with `where`.
AttributeValue take_attribute(onnx::AttributeProto& attribute, ExternalData& external,
                              const std::string& where);

/// The contents of a Constant node, whichever of its attributes holds them.
Literal take_constant(onnx::NodeProto& node, ExternalData& external, const std::string& where);

/// The attribute as a message, for handing a node's attributes to a function body.
onnx::AttributeProto to_message(const std::string& name, const AttributeValue& value);

}  // namespace switchyard
