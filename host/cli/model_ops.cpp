#include "cli/model_ops.hpp"

#include <onnx/onnx_pb.h>

#include <fstream>

namespace switchyard::cli {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

void collect(const Nodes& nodes, std::set<std::string>& ops) {
  for (const onnx::NodeProto& node : nodes) {
    const bool is_default = node.domain().empty() || node.domain() == "ai.onnx";
    ops.insert(is_default ? node.op_type() : node.domain() + "." + node.op_type());
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g()) collect(attribute.g().node(), ops);
      for (const onnx::GraphProto& body : attribute.graphs()) collect(body.node(), ops);
    }
  }
}

}  // namespace

std::set<std::string> ops_of_model(const std::filesystem::path& file) {
  std::set<std::string> ops;
  std::ifstream stream(file, std::ios::binary);
  onnx::ModelProto model;
  if (!model.ParseFromIstream(&stream)) return ops;
  collect(model.graph().node(), ops);
  for (const onnx::FunctionProto& function : model.functions()) collect(function.node(), ops);
  return ops;
}

}  // namespace switchyard::cli
