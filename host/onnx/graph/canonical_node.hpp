#pragma once

#include <string>
#include <utility>
#include <vector>

#include "onnx/graph/name_scope.hpp"
#include "onnx/graph/reading.hpp"
#include "onnx/schema.hpp"

namespace switchyard {

/// A node in canonical form whose values still go by name; "" is absent.
struct CanonicalNode {
  const Op* op;
  std::string name;  // "" gets one from op and position
  Attributes attributes;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<std::pair<std::string, const onnx::GraphProto*>> bodies = {};
};

/// Adds the node to the scope's graph: finds its inputs, reads its bodies, infers and names its
/// outputs. Throws Error(model); what it says begins with `where` or with the op in brackets.
void add_node(Reading& reading, NameScope& scope, CanonicalNode made, const std::string& where);

}  // namespace switchyard
