#include "mutation/inspection.hpp"

#include <onnx/onnx_pb.h>

#include "ops/row.hpp"

namespace switchyard::fuzz {
namespace {

template <typename Nodes>
void inspect(const Nodes& nodes, ModelTraits& traits) {
  for (const onnx::NodeProto& node : nodes) {
    traits.loops |= node.op_type() == "Loop";
    const Op* op = find_op(node.domain(), node.op_type());
    // Dropout draws numbers in its body.
    traits.random |= node.op_type() == "Dropout" || (op != nullptr && op->row->random);
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) inspect(attribute.g().node(), traits);
    }
  }
}

}  // namespace

ModelTraits traits_of(std::span<const std::byte> bytes) {
  ModelTraits traits;
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return traits;
  inspect(model.graph().node(), traits);
  for (const onnx::FunctionProto& function : model.functions()) inspect(function.node(), traits);
  return traits;
}

}  // namespace switchyard::fuzz
