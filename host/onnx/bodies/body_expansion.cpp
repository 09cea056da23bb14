#include "onnx/bodies/body_expansion.hpp"

#include <fmt/format.h>

#include "graph/expansion.hpp"
#include "onnx/bodies/function_body.hpp"
#include "onnx/bodies/function_call.hpp"
#include "onnx/graph/attribute_reader.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/proto/messages.hpp"
#include "ops/registered_op.hpp"

namespace switchyard {

namespace {

[[maybe_unused]] const bool expansion_is_set = [] {
  set_body_expansion(expand_body);
  set_body_check(check_body);
  return true;
}();

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
  const onnx::FunctionProto function = function_body(*node.op);
  const std::string where = fmt::format("the body of {} ({})", node.name, node.op->name());
  const std::size_t formals = function.input.size();
  if (node.inputs.size() > formals) {
    refuse_body(*node.op,
                fmt::format("takes {} inputs, and the call has {}", formals, node.inputs.size()));
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
      refuse_body(*node.op, fmt::format("does not make output {}", i));
    }
    graph.outputs.push_back(*id);
  }
  return graph;
}

}  // namespace switchyard
