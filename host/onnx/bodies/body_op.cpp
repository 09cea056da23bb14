#include "onnx/bodies/body_op.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/bodies/function_call.hpp"
#include "onnx/graph/attribute_reader.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/graph/static_inference.hpp"
#include "onnx/graph/value_kinds.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/text/text_parser.hpp"
#include "ops/signature.hpp"

namespace switchyard {

namespace {

Node node_of(NameScope& scope, const onnx::NodeProto& message, const Op& op,
             const Attributes& attributes, const std::string& where) {
  Node node;
  node.op = &op;
  node.name = message.name;
  node.attributes = attributes;
  for (const std::string& name : message.input) {
    const std::optional<ValueId> id = name.empty() ? kAbsent : scope.find(name);
    if (!id) {
      refuse(where,
             fmt::format("no node, input or initializer makes its input {}", in_quotes(name)));
    }
    node.inputs.push_back(*id);
  }
  while (!node.inputs.empty() && node.inputs.back() == kAbsent) node.inputs.pop_back();
  node.outputs.resize(message.output.size(), kAbsent);
  while (!node.outputs.empty() && message.output[node.outputs.size() - 1].empty()) {
    node.outputs.pop_back();
  }
  return node;
}

std::vector<ValueInfo> infos_of(const Graph& graph, const Node& node, const std::string& where) {
  std::vector<ValueInfo> infos;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    infos.push_back(info_of(graph, node.inputs[i]));
    if (node.inputs[i] == kAbsent || infos[i].dtype != DType::undefined) continue;
    refuse(where, fmt::format("the type of input {} ({}) is not known; declare it in the model", i,
                              formal_at(node.op->canonical.inputs, i)->name));
  }
  return infos;
}

/// The names of the formals in the body, each position of a variadic one for itself.
std::vector<std::string> names_of(const std::vector<Formal>& formals, std::size_t count) {
  std::vector<std::string> names;
  for (const Formal& formal : formals) {
    if (!formal.variadic) names.emplace_back(formal.name);
  }
  for (std::size_t i = 0; names.size() < count; ++i) {
    names.push_back(fmt::format("{}_{}", formals.back().name, i));
  }
  return names;
}

std::string text_of(const Node& node, const std::vector<ValueInfo>& inputs) {
  std::vector<ValueInfo> outputs(node.outputs.size());
  Inference inference(node.op->name(), node.attributes, inputs, outputs);
  infer(*node.op, inference);
  const Row& row = *node.op->row;
  if (!row.write_body) return std::string(row.body);
  const Signature& formals = node.op->canonical;
  return fmt::format(
      "({}) => ({}) {{\n{}}}", fmt::join(names_of(formals.inputs, inputs.size()), ", "),
      fmt::join(names_of(formals.outputs, outputs.size()), ", "), row.write_body(inference));
}

/// In a branch that may never run, shapes that cannot be are forgiven, as for any other node.
std::string text_of(const Node& node, const std::vector<ValueInfo>& inputs, bool is_run_optional) {
  try {
    return text_of(node, inputs);
  } catch (const Error&) {
    if (!is_run_optional) throw;
    return text_of(node, types_only(inputs));
  }
}

onnx::FunctionProto function_of(const Op& op, const std::string& text) {
  onnx::FunctionProto function = parse_function_text(text);
  function.name = std::string(op.name());
  for (const AttributeSpec& spec : op.canonical.attributes) {
    function.attribute.push_back(std::string(spec.name));
  }
  for (const auto& [domain, version] : body_imports()) {
    onnx::OperatorSetIdProto& import = function.opset_import.emplace_back();
    import.domain = domain;
    import.version = version;
  }
  return function;
}

onnx::NodeProto call_of(const onnx::NodeProto& node, const Attributes& attributes) {
  onnx::NodeProto call;
  call.name = node.name;
  call.op_type = node.op_type;
  call.input = node.input;
  call.output = node.output;
  while (!call.input.empty() && call.input.back().empty()) call.input.pop_back();
  while (!call.output.empty() && call.output.back().empty()) call.output.pop_back();
  for (const auto& [name, value] : attributes) call.attribute.push_back(to_message(name, value));
  return call;
}

/// While a body of ours is read: what is wrong inside of it is told with the position of the node
/// that the model has, and the model's own functions do not stand for ops in it.
class OwnBody {
 public:
  OwnBody(Reading& reading, const std::string& where)
      : reading_(reading),
        file_(std::exchange(reading.file, where)),
        functions_(std::exchange(reading.functions, {})) {}
  ~OwnBody() {
    reading_.file = std::move(file_);
    reading_.functions = std::move(functions_);
  }
  OwnBody(const OwnBody&) = delete;
  OwnBody& operator=(const OwnBody&) = delete;

 private:
  Reading& reading_;
  std::string file_;
  std::map<FunctionKey, const onnx::FunctionProto*> functions_;
};

}  // namespace

void read_body_op(Reading& reading, NameScope& scope, const onnx::NodeProto& node, const Op& op,
                  const Attributes& attributes, const std::string& where) {
  const Node known = node_of(scope, node, op, attributes, where);
  check_input_kinds(scope.graph(), known, where);
  const std::vector<ValueInfo> inputs = infos_of(scope.graph(), known, where);
  const onnx::FunctionProto function =
      function_of(op, text_of(known, inputs, scope.is_run_optional()));
  const OwnBody body(reading, where);
  read_call(reading, scope, call_of(node, attributes), function);
}

}  // namespace switchyard
