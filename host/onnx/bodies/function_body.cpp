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
#include "ops/signature.hpp"

namespace switchyard {
namespace {

/// What a line of a registered op's body may name: inputs, and what the lines above it make.
struct Known {
  const Op& op;
  std::set<std::string_view> values;
};

std::string name_of(const onnx::NodeProto& node) {
  const std::string domain = plain_domain(node.domain);
  return domain.empty() ? node.op_type : domain + "." + node.op_type;
}

const Op& op_of(const onnx::NodeProto& node, const Known& known) {
  const std::string domain = plain_domain(node.domain);
  if (!body_imports().contains(domain)) {
    refuse_body(known.op, fmt::format("uses {}; it may use ops of ONNX and of the domains "
                                      "switchyard and com.microsoft",
                                      name_of(node)));
  }
  if (const Op* op = find_op(domain, node.op_type)) return *op;
  refuse_body(known.op, fmt::format("uses {}, which is no op", name_of(node)));
}

/// The formals that have to be there, and no more than there are.
void check_count(const onnx::NodeProto& node, const std::vector<Formal>& formals,
                 const std::vector<std::string>& given, std::string_view what, const Known& known) {
  if (!given.empty() && !formal_at(formals, given.size() - 1)) {
    refuse_body(known.op, fmt::format("gives {} {} {}s; it has at most {}", name_of(node),
                                      given.size(), what, formals.size()));
  }
  for (std::size_t i = 0; i < formals.size(); ++i) {
    if (formals[i].optional || (i < given.size() && !given[i].empty())) continue;
    refuse_body(known.op, fmt::format("leaves out the {} \"{}\" of {}", what, formals[i].name,
                                      name_of(node)));
  }
}

void check_attributes(const onnx::NodeProto& node, const Op& op, const Known& known) {
  const auto& own = known.op.canonical.attributes;
  for (const onnx::AttributeProto& attribute : node.attribute) {
    const std::string& named = attribute.ref_attr_name;
    if (!named.empty() && std::ranges::find(own, named, &AttributeSpec::name) == own.end()) {
      refuse_body(known.op, fmt::format("uses @{}, which is no attribute of the op", named));
    }
    const auto& specs = op.canonical.attributes;
    const bool is_constant = op.name() == "Constant";  // whose attributes its reader knows
    if (is_constant ||
        std::ranges::find(specs, attribute.name, &AttributeSpec::name) != specs.end())
      continue;
    refuse_body(known.op, fmt::format("gives {} the attribute {}, which it does not have",
                                      name_of(node), in_quotes(attribute.name)));
  }
}

void check_graph(const onnx::GraphProto& graph, Known known);

void check_node(const onnx::NodeProto& node, Known& known) {
  const Op& op = op_of(node, known);
  check_count(node, op.canonical.inputs, node.input, "input", known);
  check_count(node, op.canonical.outputs, node.output, "output", known);
  check_attributes(node, op, known);
  for (const std::string& input : node.input) {
    if (input.empty() || known.values.contains(input)) continue;
    refuse_body(known.op,
                fmt::format("uses the value {}, which is no input and which no line above "
                            "makes",
                            in_quotes(input)));
  }
  for (const onnx::AttributeProto& attribute : node.attribute) {
    if (attribute.g) check_graph(*attribute.g, known);
  }
  for (const std::string& output : node.output) {
    if (output.empty() || known.values.insert(output).second) continue;
    refuse_body(known.op, fmt::format("makes the value {} twice", in_quotes(output)));
  }
}

void check_graph(const onnx::GraphProto& graph, Known known) {
  for (const auto& input : graph.input) known.values.insert(input.name);
  for (const auto& initializer : graph.initializer) known.values.insert(initializer.name);
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
  for (const onnx::NodeProto& node : function.node) check_node(node, known);
  for (const std::string& output : function.output) {
    if (!known.values.contains(output)) {
      refuse_body(op, fmt::format("does not make the output {}", in_quotes(output)));
    }
  }
}

}  // namespace switchyard
