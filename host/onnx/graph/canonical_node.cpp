#include "onnx/graph/canonical_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/bodies/body_types.hpp"
#include "onnx/graph/graph_reader.hpp"
#include "onnx/graph/static_inference.hpp"
#include "onnx/graph/value_kinds.hpp"
#include "onnx/proto/messages.hpp"
#include "ops/signature.hpp"

namespace switchyard {

namespace {

ValueId find_input(NameScope& scope, const std::string& name, const std::string& where) {
  if (name.empty()) return kAbsent;
  if (const std::optional<ValueId> id = scope.find(name)) return *id;
  refuse(where, fmt::format("no node, input or initializer makes its input {}", in_quotes(name)));
}

std::vector<ValueId> find_inputs(NameScope& scope, const std::vector<std::string>& names,
                                 const std::string& where) {
  std::vector<ValueId> ids;
  for (const std::string& name : names) ids.push_back(find_input(scope, name, where));
  while (!ids.empty() && ids.back() == kAbsent) ids.pop_back();
  return ids;
}

void check_inputs_present(const Node& node, const std::string& where) {
  const std::vector<Formal>& formals = node.op->canonical.inputs;
  for (std::size_t i = 0; i < formals.size(); ++i) {
    const bool is_given = i < node.inputs.size() && node.inputs[i] != kAbsent;
    if (is_given || formals[i].optional) continue;
    refuse(where, fmt::format("its input {} ({}) is missing", i, formals[i].name));
  }
}

void check_body_names(const CanonicalNode& made, const std::string& where) {
  for (const auto& [name, body] : made.bodies) {
    const auto& specs = made.op->canonical.attributes;
    const bool is_known = std::any_of(specs.begin(), specs.end(), [&name = name](const auto& spec) {
      return spec.kind == "graph" && spec.name == name;
    });
    if (!is_known) refuse(where, fmt::format("the op has no body {}", in_quotes(name)));
  }
  for (const AttributeSpec& spec : made.op->canonical.attributes) {
    if (spec.kind != "graph" || !spec.required) continue;
    const bool is_given = std::any_of(made.bodies.begin(), made.bodies.end(),
                                      [&](const auto& body) { return body.first == spec.name; });
    if (!is_given) refuse(where, fmt::format("its {} is missing", spec.name));
  }
}

/// Reads a branch of an If, which may be for other versions and devices than those at hand. What is
/// wrong with it counts only once it is taken: until then it stands there without nodes.
std::unique_ptr<Graph> read_branch(Reading& reading, NameScope& scope,
                                   const onnx::GraphProto& message) {
  auto branch = std::make_unique<Graph>();
  NameScope inner(*branch, scope.opsets(), &scope);
  try {
    read_graph(reading, inner, message);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::model || reading.is_over_limit()) throw;
    *branch = Graph();
    branch->name = message.name;
    branch->refusal = error.what();
    branch->outputs.assign(message.output.size(), kAbsent);
  }
  return branch;
}

std::unique_ptr<Graph> read_body(Reading& reading, NameScope& scope,
                                 const onnx::GraphProto& message,
                                 std::span<const Value> known_inputs) {
  auto body = std::make_unique<Graph>();
  NameScope inner(*body, scope.opsets(), &scope);
  read_graph(reading, inner, message, known_inputs);
  return body;
}

void read_bodies(Reading& reading, NameScope& scope, const CanonicalNode& made, Node& node) {
  if (made.bodies.empty()) return;
  const std::vector<Value> known = body_inputs(scope.graph(), node);
  const bool is_if = made.op->name() == "If";
  for (const auto& [name, message] : made.bodies) {
    node.bodies.emplace_back(name, is_if ? read_branch(reading, scope, *message)
                                         : read_body(reading, scope, *message, known));
  }
}

// What the file says of a value beyond what was inferred. It may be out of date, so that only what
// does not contradict counts, and of a shape only the rank.
void add_declared(NameScope& scope, const std::string& name, Value& value) {
  const auto found = scope.declared().find(name);
  if (found == scope.declared().end()) return;
  const Value& declared = found->second;
  if (value.dtype == DType::undefined && declared.dtype != DType::undefined) {
    value.dtype = declared.dtype;
    value.kind = declared.kind;
    value.optional_of_sequence = declared.optional_of_sequence;
  }
  const bool is_same = value.kind == declared.kind && value.dtype == declared.dtype;
  if (is_same && !value.shape && declared.shape) {
    value.shape = Dims::filled(declared.shape->size(), kUnknown);
  }
  if (is_same && value.shape && value.shape->size() == declared.dim_names.size()) {
    value.dim_names = declared.dim_names;
  }
}

std::size_t used_outputs(const CanonicalNode& made) {
  std::size_t count = made.outputs.size();
  if (!made.bodies.empty()) return count;  // a body has as many outputs as its node
  while (count > 0 && made.outputs[count - 1].empty()) --count;
  return count;
}

void add_outputs(NameScope& scope, const CanonicalNode& made, Node& node,
                 const std::string& where) {
  Graph& graph = scope.graph();
  std::vector<Value> values = infer_outputs(graph, node, scope.is_run_optional());
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string& name = made.outputs[i];
    if (name.empty()) continue;
    add_declared(scope, name, values[i]);
    values[i].name = scope.full_name(name);
    node.outputs[i] = graph.add_value(std::move(values[i]));
    scope.define(name, node.outputs[i], where);
  }
}

}  // namespace

void add_node(Reading& reading, NameScope& scope, CanonicalNode made, const std::string& where) {
  ++reading.made_nodes;
  if (reading.is_over_limit()) {
    refuse(where, fmt::format("with functions and the bodies of its ops in their places the model "
                              "has over {} nodes; raise limits.nodes if you trust it",
                              reading.limits.nodes));
  }
  Graph& graph = scope.graph();
  Node node;
  node.op = made.op;
  node.name =
      made.name.empty() ? fmt::format("{}_{}", made.op->name(), graph.nodes.size()) : made.name;
  node.name = scope.full_name(node.name);
  node.attributes = std::move(made.attributes);
  node.inputs = find_inputs(scope, made.inputs, where);
  check_inputs_present(node, where);
  check_input_kinds(graph, node, where);
  check_body_names(made, where);
  read_bodies(reading, scope, made, node);
  node.outputs.assign(used_outputs(made), kAbsent);
  add_outputs(scope, made, node, where);
  graph.nodes.push_back(std::move(node));
}

}  // namespace switchyard
