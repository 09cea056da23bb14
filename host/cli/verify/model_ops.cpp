#include "cli/verify/model_ops.hpp"

#include <switchyard/error.hpp>

#include "onnx/files/message_file.hpp"

namespace switchyard::cli {
namespace {

void collect(const std::vector<onnx::NodeProto>& nodes, std::set<std::string>& ops) {
  for (const onnx::NodeProto& node : nodes) {
    const bool is_default = node.domain.empty() || node.domain == "ai.onnx";
    ops.insert(is_default ? node.op_type : node.domain + "." + node.op_type);
    for (const onnx::AttributeProto& attribute : node.attribute) {
      if (attribute.g) collect(attribute.g->node, ops);
      for (const onnx::GraphProto& body : attribute.graphs) collect(body.node, ops);
    }
  }
}

}  // namespace

std::set<std::string> ops_of_model(const std::filesystem::path& file) {
  std::set<std::string> ops;
  try {
    const auto model = decode_file<onnx::ModelProto>(file, "ONNX model");
    if (model.graph) collect(model.graph->node, ops);
    for (const onnx::FunctionProto& function : model.functions) collect(function.node, ops);
  } catch (const Error&) {
    ops.clear();  // it has no ops that could be read
  }
  return ops;
}

}  // namespace switchyard::cli
