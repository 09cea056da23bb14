#pragma once

#include <string>

#include "onnx/graph/name_scope.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// The newest version of the default domain that is read.
inline constexpr std::int64_t kNewestOpset = 27;

/// A domain's one name: the default domain may be written "" or "ai.onnx"; here it is "".
std::string plain_domain(const std::string& domain);

/// The imports that a model or function declares. Throws Error(model) beginning with `where` if
/// they contradict themselves.
OpsetImports read_opset_imports(const onnx::ModelProto& model, const std::string& where);
OpsetImports read_opset_imports(const onnx::FunctionProto& function, const std::string& where);

/// What the nodes of an op's function body may use.
const OpsetImports& body_imports();

/// The version of the node's domain; Error(model) beginning with `where` if it is not imported or
/// newer than what is read.
int opset_of(const OpsetImports& opsets, const std::string& domain, const std::string& where);

}  // namespace switchyard
