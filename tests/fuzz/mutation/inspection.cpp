#include "mutation/inspection.hpp"

#include <onnx/onnx_pb.h>

#include <algorithm>

#include "ops/row.hpp"

namespace switchyard::fuzz {
namespace {

bool draws(const onnx::NodeProto& node);

template <typename Nodes>
bool any_draws(const Nodes& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), draws);
}

bool draws(const onnx::NodeProto& node) {
  const Op* op = find_op(node.domain(), node.op_type());
  // Dropout draws numbers in its body.
  if (node.op_type() == "Dropout" || (op != nullptr && op->row->random)) return true;
  return std::any_of(
      node.attribute().begin(), node.attribute().end(),
      [](const onnx::AttributeProto& attribute) { return any_draws(attribute.g().node()); });
}

}  // namespace

bool is_random(std::span<const std::byte> bytes) {
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  return any_draws(model.graph().node()) ||
         std::any_of(
             model.functions().begin(), model.functions().end(),
             [](const onnx::FunctionProto& function) { return any_draws(function.node()); });
}

}  // namespace switchyard::fuzz
