#include "onnx/bodies/function_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/proto/messages.hpp"
#include "onnx/text/text_parser.hpp"
#include "ops/registered_op.hpp"

namespace switchyard {
namespace {

/// What the lines of a registered op's body may name.
struct Known {
  const Op& op;
  std::set<std::string_view> values;
};

void check_op(const onnx::NodeProto& node, const Known& known) {
  const std::string domain = plain_domain(node.domain);
  const std::string name = domain.empty() ? node.op_type : domain + "." + node.op_type;
  if (!body_imports().contains(domain)) {
    refuse_body(known.op, fmt::format("uses {}; it may use ops of ONNX and of the domains "
                                      "switchyard and com.microsoft",
                                      name));
  }
  if (!find_op(domain, node.op_type)) {
    refuse_body(known.op, fmt::format("uses {}, which is no op", name));
  }
}

void check_graph(const onnx::GraphProto& graph, Known known);

void check_node(const onnx::NodeProto& node, const Known& known) {
  check_op(node, known);
  for (const std::string& input : node.input) {
    if (input.empty() || known.values.contains(input)) continue;
    refuse_body(known.op,
                fmt::format("uses the value {}, which is no input and which no line makes",
                            in_quotes(input)));
  }
  const auto& attributes = known.op.canonical.attributes;
  for (const onnx::AttributeProto& attribute : node.attribute) {
    const std::string& named = attribute.ref_attr_name;
    if (!named.empty() &&
        std::ranges::find(attributes, named, &AttributeSpec::name) == attributes.end()) {
      refuse_body(known.op, fmt::format("uses @{}, which is no attribute of the op", named));
    }
    if (attribute.g) check_graph(*attribute.g, known);
  }
}

template <typename Message>
void add_made(const Message& message, Known& known) {
  for (const onnx::NodeProto& node : message.node) {
    known.values.insert(node.output.begin(), node.output.end());
  }
}

void check_graph(const onnx::GraphProto& graph, Known known) {
  for (const auto& input : graph.input) known.values.insert(input.name);
  for (const auto& initializer : graph.initializer) known.values.insert(initializer.name);
  add_made(graph, known);
  for (const onnx::NodeProto& node : graph.node) check_node(node, known);
}

}  // namespace

void refuse_body(const Op& op, std::string_view why) {
  throw Error(op.registered ? ErrorKind::invalid_argument : ErrorKind::internal,
              fmt::format("[{}] its function body {}", op.name(), why));
}

onnx::FunctionProto function_body(const Op& op) {
  if (op.row->body.empty()) refuse_body(op, "is missing");
  onnx::FunctionProto function;
  try {
    function = parse_function_text(op.row->body);
  } catch (const Error& error) {
    refuse_body(op, fmt::format("cannot be read: {}", error.what()));
  }
  function.name = std::string(op.name());
  for (const AttributeSpec& spec : op.canonical.attributes) {
    function.attribute.push_back(std::string(spec.name));
  }
  return function;
}

void check_body(const Op& op) {
  if (!op.canonical.inputs.empty() && op.canonical.inputs.back().variadic) {
    refuse_body(op, "cannot name the values of a variadic input; give the op a kernel");
  }
  const onnx::FunctionProto function = function_body(op);
  Known known{op, {function.input.begin(), function.input.end()}};
  add_made(function, known);
  for (const onnx::NodeProto& node : function.node) check_node(node, known);
  for (const std::string& output : function.output) {
    if (!known.values.contains(output)) {
      refuse_body(op, fmt::format("does not make the output {}", in_quotes(output)));
    }
  }
}

}  // namespace switchyard
