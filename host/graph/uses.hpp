#pragma once

#include "graph/graph.hpp"

namespace switchyard {

/// Visits the values that a node uses, those that its bodies capture included.
void for_each_use(const Node& node, const auto& visit) {
  for (const ValueId input : node.inputs) {
    if (input != kAbsent) visit(input);
  }
  for (const auto& [name, body] : node.bodies) {
    for (const Capture& capture : body->captures) visit(capture.outer);
  }
}

}  // namespace switchyard
