#pragma once

#include <string>
#include <vector>

#include "onnx/schema.hpp"

namespace switchyard {

// Debian's ONNX schema ends at IR 8. What a newer file holds besides arrives as unknown fields:
// those that change a model's meaning are decoded here, those that do not (metadata, hints for
// several devices) are passed over, and any other is refused, as a field that nobody understands
// might matter.

/// Throws Error(model) beginning with `where` if the message itself, without those inside it, holds
/// a field that is neither known nor known to be harmless.
void check_fields(const onnx::ModelProto& model, const std::string& where);
void check_fields(const onnx::GraphProto& graph, const std::string& where);
void check_fields(const onnx::NodeProto& node, const std::string& where);
void check_fields(const onnx::FunctionProto& function, const std::string& where);
void check_fields(const onnx::AttributeProto& attribute, const std::string& where);
void check_fields(const onnx::TensorProto& tensor, const std::string& where);

/// Which of several functions of one name is meant or defined; "" usually. IR 10.
std::string overload_of(const onnx::NodeProto& node);
std::string overload_of(const onnx::FunctionProto& function);

/// The default values of a function's attributes. IR 9.
std::vector<onnx::AttributeProto> default_attributes(const onnx::FunctionProto& function,
                                                     const std::string& where);

}  // namespace switchyard
