#pragma once

#include <string>
#include <vector>

#include "onnx/graph/name_scope.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// The nodes of one graph or function, in an order in which each value is made before it is used,
/// that of the file wherever it is such an order. Throws Error(model) beginning with `file` where
/// two nodes make one value, nodes wait for each other, or an unordered body leaves open whether a
/// name means its own value or one of the graph around.
std::vector<const onnx::NodeProto*> in_order(std::vector<const onnx::NodeProto*> nodes,
                                             const NameScope& scope, const std::string& file);

/// "file: node 'conv1' (Conv)", for messages.
std::string location_of(const onnx::NodeProto& node, const std::string& file);

}  // namespace switchyard
