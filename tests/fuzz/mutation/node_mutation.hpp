#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "dice.hpp"

namespace switchyard::fuzz {

/// Changes a node's op, an input, an output or an attribute. `values` are names that it may use.
void mutate_node(onnx::NodeProto& node, const std::vector<std::string>& values, Dice& dice);

/// A node of any op that gives `output`.
onnx::NodeProto new_node(const std::string& output, const std::vector<std::string>& values,
                         Dice& dice);

}  // namespace switchyard::fuzz
