#include "onnx/bodies/function_call.hpp"

#include <fmt/format.h>

#include <algorithm>

#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/graph/canonical_node.hpp"
#include "onnx/graph/node_order.hpp"
#include "onnx/graph/node_reader.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/proto/messages.hpp"

namespace switchyard {

namespace {

using Arguments = std::map<std::string, onnx::AttributeProto>;

std::string location_of_function(const onnx::FunctionProto& function, const Reading& reading) {
  return fmt::format("{}: function {}", reading.file, in_quotes(function.name));
}

// The values of a function's attributes in one call: the call's own, else the defaults.
Arguments arguments_of(const onnx::NodeProto& call, const onnx::FunctionProto& function,
                       const Reading& reading) {
  Arguments arguments;
  for (const onnx::AttributeProto& each : function.attribute_proto) arguments[each.name] = each;
  for (const onnx::AttributeProto& each : call.attribute) {
    const auto& declared = function.attribute;
    const bool is_known = arguments.count(each.name) > 0 ||
                          std::find(declared.begin(), declared.end(), each.name) != declared.end();
    if (!is_known) {
      refuse(location_of(call, reading.file),
             fmt::format("the function has no attribute {}", in_quotes(each.name)));
    }
    arguments[each.name] = each;
  }
  return arguments;
}

void resolve(onnx::NodeProto& node, const Arguments& arguments, const std::string& file);

// Puts the argument in the place of a reference to it; false if the call leaves it open.
bool resolve(onnx::AttributeProto& attribute, const Arguments& arguments,
             const std::string& where) {
  if (attribute.ref_attr_name.empty()) return true;
  const auto argument = arguments.find(attribute.ref_attr_name);
  if (argument == arguments.end()) return false;
  if (argument->second.g) {
    refuse(where,
           fmt::format("the attribute {} hands a graph to a function, which is not supported; "
                       "inline the function before the export",
                       in_quotes(attribute.name)));
  }
  const std::string name = attribute.name;
  attribute = argument->second;
  attribute.name = name;
  return true;
}

void resolve(onnx::NodeProto& node, const Arguments& arguments, const std::string& file) {
  auto& attributes = node.attribute;
  for (auto each = attributes.begin(); each != attributes.end();) {
    each = resolve(*each, arguments, location_of(node, file)) ? each + 1 : attributes.erase(each);
  }
  for (onnx::AttributeProto& attribute : attributes) {
    if (!attribute.g) continue;
    for (onnx::NodeProto& inner : attribute.g->node) resolve(inner, arguments, file);
  }
}

// A function's result under its name in the caller. A value that the caller knows already (a
// function that hands on its input) needs a node to become one of another name.
void hand_over(Reading& reading, NameScope& scope, NameScope& inner, const std::string& result,
               const std::string& name, std::size_t first_own, const std::string& where) {
  const std::optional<ValueId> id = inner.find(result);
  if (!id || *id == kAbsent) {
    refuse(where, fmt::format("the function does not make its output {}", in_quotes(result)));
  }
  Graph& graph = scope.graph();
  const bool is_own = *id >= first_own && !graph.values[*id].constant;
  if (is_own && graph.values[*id].name == inner.full_name(result)) {
    graph.values[*id].name = scope.full_name(name);
    scope.define(name, *id, where);
    return;
  }
  const std::string source = scope.fresh_name(name);
  scope.define(source, *id, where);
  add_node(reading, scope, {find_op("", "Identity"), source, {}, {source}, {name}}, where);
}

/// While a function's call is read, also where that ends in an error, which a branch keeps.
class Called {
 public:
  Called(Reading& reading, const onnx::FunctionProto& function) : reading_(reading) {
    reading_.calls.push_back(&function);
  }
  ~Called() { reading_.calls.pop_back(); }
  Called(const Called&) = delete;
  Called& operator=(const Called&) = delete;

 private:
  Reading& reading_;
};

void check_call(const Reading& reading, const onnx::NodeProto& call,
                const onnx::FunctionProto& function) {
  const std::string where = location_of(call, reading.file);
  if (call.input.size() > function.input.size() || call.output.size() > function.output.size()) {
    refuse(where,
           fmt::format("the function takes {} inputs and gives {} outputs, but the node has {} "
                       "and {}",
                       function.input.size(), function.output.size(), call.input.size(),
                       call.output.size()));
  }
  const auto& calls = reading.calls;
  if (std::find(calls.begin(), calls.end(), &function) != calls.end()) {
    refuse(where, "the function calls itself, which ONNX forbids");
  }
}

void bind_inputs(NameScope& scope, NameScope& inner, const onnx::NodeProto& call,
                 const onnx::FunctionProto& function, const std::string& where) {
  for (std::size_t i = 0; i < function.input.size(); ++i) {
    const bool is_given = i < call.input.size() && !call.input[i].empty();
    const std::optional<ValueId> id = is_given ? scope.find(call.input[i]) : kAbsent;
    if (!id) {
      refuse(where, fmt::format("no node, input or initializer makes its input {}",
                                in_quotes(call.input[i])));
    }
    inner.define(function.input[i], *id, where);
  }
}

}  // namespace

const onnx::FunctionProto* called_function(const Reading& reading, const onnx::NodeProto& node) {
  if (reading.functions.empty()) return nullptr;
  const auto found =
      reading.functions.find(FunctionKey(plain_domain(node.domain), node.op_type, node.overload));
  return found == reading.functions.end() ? nullptr : found->second;
}

void read_function_nodes(Reading& reading, NameScope& scope, const onnx::NodeProto& call,
                         const onnx::FunctionProto& function) {
  std::vector<onnx::NodeProto> body = function.node;  // it may be called again, otherwise
  const Arguments arguments = arguments_of(call, function, reading);
  std::vector<const onnx::NodeProto*> nodes;
  for (onnx::NodeProto& node : body) {
    resolve(node, arguments, reading.file);
    nodes.push_back(&node);
  }
  for (const onnx::NodeProto* node : in_order(std::move(nodes), scope, reading.file)) {
    read_node(reading, scope, *node);
  }
}

void read_call(Reading& reading, NameScope& scope, const onnx::NodeProto& call,
               const onnx::FunctionProto& function) {
  const std::string where = location_of(call, reading.file);
  check_call(reading, call, function);
  const OpsetImports opsets = read_opset_imports(function, location_of_function(function, reading));
  const std::string label = call.name.empty()
                                ? fmt::format("{}_{}", call.op_type, scope.graph().nodes.size())
                                : call.name;
  NameScope inner = NameScope::of_call(scope, opsets, label);
  bind_inputs(scope, inner, call, function, where);
  const std::size_t first_own = scope.graph().values.size();
  {
    const Called called(reading, function);
    read_function_nodes(reading, inner, call, function);
  }
  for (std::size_t i = 0; i < call.output.size(); ++i) {
    if (call.output[i].empty()) continue;
    hand_over(reading, scope, inner, function.output[i], call.output[i], first_own, where);
  }
}

}  // namespace switchyard
