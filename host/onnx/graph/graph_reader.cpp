#include "onnx/graph/graph_reader.hpp"

#include "error/plain_text.hpp"

#include <fmt/format.h>

#include <unordered_set>

#include "io/file_error.hpp"
#include "onnx/graph/node_order.hpp"
#include "onnx/graph/node_reader.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/tensors/tensor_reader.hpp"
#include "onnx/tensors/type_reader.hpp"

namespace switchyard {

namespace {

std::string location(const Reading& reading, std::string_view what, const std::string& name) {
  return fmt::format("{}: {} {}", reading.file, what, in_quotes(name));
}

// A body's input: the file's word on its type, and what the node around feeds it. Extents that only
// the file declares may differ from round to round, so that only their number counts.
void add_known(Value& input, const Value& known, const std::string& where) {
  const bool is_declared = input.dtype != DType::undefined;
  if (is_declared && known.dtype != DType::undefined &&
      (input.dtype != known.dtype || input.kind != known.kind)) {
    refuse(where, fmt::format("it is declared as {}, but gets {}", describe_type(input),
                              describe_type(known)));
  }
  if (!is_declared) {
    input.dtype = known.dtype;
    input.kind = known.kind;
    input.optional_of_sequence = known.optional_of_sequence;
  }
  input.dim_names.clear();
  if (known.shape) {
    input.shape = known.shape;
  } else if (input.shape) {
    input.shape = Dims::filled(input.shape->size(), kUnknown);
  }
}

void add_constant(NameScope& scope, const std::string& name, Literal literal,
                  const std::string& where) {
  Value value;
  value.name = scope.full_name(name);
  value.dtype = literal.dtype();
  value.shape = literal.shape();
  value.constant = std::move(literal);
  scope.define(name, scope.graph().add_value(std::move(value)), where);
}

using Names = std::unordered_set<std::string>;

Names read_initializers(Reading& reading, NameScope& scope, const onnx::GraphProto& graph) {
  Names names;
  const auto add = [&](const std::string& name, Literal literal, const std::string& where) {
    if (name.empty()) refuse(where, "it has no name; the file is damaged");
    names.insert(name);
    add_constant(scope, name, std::move(literal), where);
  };
  for (const onnx::TensorProto& tensor : graph.initializer) {
    const std::string where = location(reading, "initializer", tensor.name);
    add(tensor.name, read_tensor(tensor, reading.external, where), where);
  }
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer) {
    const std::string name = tensor.values.name;
    const std::string where = location(reading, "sparse initializer", name);
    add(name, read_sparse_tensor(tensor, reading.external, reading.dense_budget, where), where);
  }
  return names;
}

/// Programs in other languages take names of inputs and outputs for UTF-8 that ends in NUL.
void require_text(std::string_view name, const std::string& where) {
  if (plain_text(name) == name) return;
  refuse(where, "its name is not plain text in UTF-8; give it another");
}

std::vector<std::string> read_inputs(const Reading& reading, NameScope& scope,
                                     const onnx::GraphProto& graph, const Names& initializers,
                                     std::span<const Value> known_inputs) {
  std::vector<std::string> with_defaults;
  for (std::size_t i = 0; i < graph.input.size(); ++i) {
    const onnx::ValueInfoProto& info = graph.input[i];
    const std::string where = location(reading, "input", info.name);
    if (info.name.empty()) refuse(where, "it has no name; the file is damaged");
    if (initializers.count(info.name) > 0) {
      with_defaults.push_back(info.name);
      continue;
    }
    require_text(info.name, where);
    Value value = read_value_info(info, where);
    for (const std::string& name : value.dim_names) require_text(name, where);
    if (i < known_inputs.size()) add_known(value, known_inputs[i], where);
    value.name = scope.full_name(info.name);
    const ValueId id = scope.graph().add_value(std::move(value));
    scope.define(info.name, id, where);
    scope.graph().inputs.push_back(id);
  }
  return with_defaults;
}

void read_declared(const Reading& reading, NameScope& scope, const onnx::GraphProto& graph) {
  for (const auto* infos : {&graph.value_info, &graph.output}) {
    for (const onnx::ValueInfoProto& info : *infos) {
      scope.declared()[info.name] = read_value_info(info, location(reading, "value", info.name));
    }
  }
}

void read_nodes(Reading& reading, NameScope& scope, const onnx::GraphProto& graph) {
  std::vector<const onnx::NodeProto*> nodes;
  for (const onnx::NodeProto& node : graph.node) nodes.push_back(&node);
  for (const onnx::NodeProto* node : in_order(std::move(nodes), scope, reading.file)) {
    read_node(reading, scope, *node);
  }
}

void read_outputs(const Reading& reading, NameScope& scope, const onnx::GraphProto& graph) {
  for (const onnx::ValueInfoProto& info : graph.output) {
    const std::string where = location(reading, "output", info.name);
    const std::optional<ValueId> id = scope.find(info.name);
    if (!id || *id == kAbsent) refuse(where, "no node, input or initializer makes it");
    require_text(info.name, where);
    for (const std::string& name : scope.declared()[info.name].dim_names) require_text(name, where);
    const Value& value = scope.graph().values[*id];
    const Value& declared = scope.declared()[info.name];
    const bool is_typed = value.dtype != DType::undefined && declared.dtype != DType::undefined;
    if (is_typed && (value.dtype != declared.dtype || value.kind != declared.kind)) {
      refuse(where, fmt::format("it is declared as {}, but the graph makes {}",
                                describe_type(declared), describe_type(value)));
    }
    scope.graph().outputs.push_back(*id);
  }
}

}  // namespace

std::vector<std::string> read_graph(Reading& reading, NameScope& scope,
                                    const onnx::GraphProto& graph,
                                    std::span<const Value> known_inputs) {
  scope.graph().name = graph.name;
  const Names initializers = read_initializers(reading, scope, graph);
  std::vector<std::string> with_defaults =
      read_inputs(reading, scope, graph, initializers, known_inputs);
  read_declared(reading, scope, graph);
  read_nodes(reading, scope, graph);
  read_outputs(reading, scope, graph);
  return with_defaults;
}

}  // namespace switchyard
