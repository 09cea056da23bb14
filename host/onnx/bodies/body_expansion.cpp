#include "onnx/bodies/body_expansion.hpp"

#include <fmt/format.h>

#include <switchyard/error.hpp>

#include "graph/expansion.hpp"
#include "onnx/bodies/function_call.hpp"
#include "onnx/graph/attribute_reader.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/text/text_parser.hpp"

namespace switchyard {

namespace {

[[maybe_unused]] const bool expansion_is_set = [] {
  set_body_expansion(expand_body);
  return true;
}();

onnx::FunctionProto parsed_body(const Op& op) try {
  return parse_function_text(op.row->body);
} catch (const Error& error) {
  if (!op.registered) throw;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] its body cannot be read: {}", op.name(), error.what()));
}

onnx::FunctionProto function_of(const Op& op) {
  if (op.row->body.empty()) {
    throw Error(ErrorKind::internal,
                fmt::format("[{}] the op's row has no function body", op.name()));
  }
  onnx::FunctionProto function = parsed_body(op);
  function.name = std::string(op.name());
  for (const AttributeSpec& spec : op.canonical.attributes)
    function.attribute.push_back(std::string(spec.name));
  return function;
}

onnx::NodeProto call_of(const Node& node) {
  onnx::NodeProto call;
  call.name = node.name;
  call.op_type = std::string(node.op->name());
  for (const auto& [name, value] : node.attributes) {
    call.attribute.push_back(to_message(name, value));
  }
  return call;
}

ValueId add_input(Graph& graph, Value value) {
  const bool is_constant = value.constant.has_value();
  const ValueId id = graph.add_value(std::move(value));
  if (!is_constant) graph.inputs.back() = id;
  return id;
}

}  // namespace

Graph expand_body(const Node& node, std::span<const Value> inputs) {
  const onnx::FunctionProto function = function_of(*node.op);
  const std::string where = fmt::format("the body of {} ({})", node.name, node.op->name());
  const std::size_t formals = function.input.size();
  if (node.inputs.size() > formals) {
    throw Error(ErrorKind::internal, fmt::format("{} takes only {} inputs", where, formals));
  }
  Reading reading{where, ExternalData({})};
  Graph graph;
  graph.name = node.name;
  NameScope scope(graph, body_imports());
  for (std::size_t i = 0; i < formals; ++i) {
    const bool is_given = i < node.inputs.size() && node.inputs[i] != kAbsent;
    if (i < node.inputs.size()) graph.inputs.push_back(kAbsent);
    const std::string& name = function.input[i];
    scope.define(name, is_given ? add_input(graph, inputs[i]) : kAbsent, where);
  }
  read_function_nodes(reading, scope, call_of(node), function);
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const bool is_made = i < function.output.size();
    const std::string name = is_made ? function.output[i] : std::string();
    const bool is_used = node.outputs[i] != kAbsent;
    const std::optional<ValueId> id = is_used ? scope.find(name) : kAbsent;
    if (!id) {
      throw Error(ErrorKind::internal, fmt::format("{} does not make output {}", where, i));
    }
    graph.outputs.push_back(*id);
  }
  return graph;
}

}  // namespace switchyard
