#include "onnx/graph/node_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include <switchyard/error.hpp>

#include "io/file_error.hpp"
#include "onnx/bodies/body_op.hpp"
#include "onnx/bodies/function_call.hpp"
#include "onnx/graph/attribute_reader.hpp"
#include "onnx/graph/canonical_node.hpp"
#include "onnx/graph/node_order.hpp"
#include "onnx/graph/opset_imports.hpp"
#include "onnx/graph/static_inference.hpp"
#include "onnx/proto/messages.hpp"
#include "ops/catalogue.hpp"
#include "ops/definition_check.hpp"
#include "ops/signature.hpp"
#include "ops/type_sets.hpp"

namespace switchyard {

namespace {

using Bodies = std::vector<std::pair<std::string, const onnx::GraphProto*>>;

ValueId add_constant_value(NameScope& scope, const std::string& name, Literal literal,
                           const std::string& where) {
  Value value;
  value.name = scope.full_name(name);
  value.dtype = literal.dtype();
  value.shape = literal.shape();
  value.constant = std::move(literal);
  const ValueId id = scope.graph().add_value(std::move(value));
  scope.define(name, id, where);
  return id;
}

void read_constant(Reading& reading, NameScope& scope, const onnx::NodeProto& node,
                   const std::string& where) {
  if (node.output.size() != 1) refuse(where, "a Constant has one output");
  Literal literal = constant_value(node, reading.external, reading.dense_budget, where);
  if (!node.output[0].empty()) {
    add_constant_value(scope, node.output[0], std::move(literal), where);
  }
}

const Op& op_of(const onnx::NodeProto& node, const std::string& domain, int opset,
                const std::string& where) {
  if (const Op* op = find_op(domain, node.op_type)) return *op;
  if (!belongs_to_others(domain)) {
    refuse(where, fmt::format("the op {} of {} is not known: it is no function of the model, the "
                              "program has not given it to register_op, and no plugin that was "
                              "loaded brings it "
                              "(`switchyard devices` says why a plugin was not)",
                              in_quotes(node.op_type), in_quotes(domain)));
  }
  refuse(where, fmt::format("the op {} of {} {} is not supported; export the model without it",
                            in_quotes(node.op_type),
                            domain.empty() ? "opset" : in_quotes(domain) + " version", opset));
}

void check_formals(const std::vector<Formal>& formals, std::size_t count, std::string_view what,
                   const std::string& where) {
  if (count == 0 || formal_at(formals, count - 1)) return;
  refuse(where, fmt::format("it has {} {}, but its version of the op has at most {}", count, what,
                            formals.size()));
}

/// What each letter of a version's signature stands for in one node.
using Letters = std::array<DType, kMostLetters>;

/// A value of a node, as a version of its op sees it.
struct Location {
  std::string_view side, verb;  // "input", "takes"
  std::size_t i;
  const Formal& formal;
};

/// Fails where the version has values of one letter, of which an earlier one has another type.
void check_letter(const Location& location, DType dtype, const Signature& revision,
                  Letters& letters, const std::string& where) {
  if (location.formal.letter < 0) return;
  const auto letter = static_cast<std::size_t>(location.formal.letter);
  DType& bound = letters[letter];
  if (bound == DType::undefined) bound = dtype;
  if (bound == dtype) return;
  refuse(where, fmt::format("{} {} ({}) is {}, but another value of its type {} is {}; version {} "
                            "of the op has one type for both",
                            location.side, location.i, location.formal.name, name_of(dtype),
                            revision.types[letter].first, name_of(bound), revision.since));
}

/// Fails unless the version allows the value's type, where it is known.
void check_type(NameScope& scope, ValueId id, const Location& location, const Signature& revision,
                Letters& letters, const std::string& where) {
  const DType dtype = scope.graph().values[id].dtype;
  if (dtype == DType::undefined) return;
  if (!contains(location.formal.allowed, dtype)) {
    refuse(where, fmt::format("{} {} ({}) is {}; version {} of the op {} {}", location.side,
                              location.i, location.formal.name, name_of(dtype), revision.since,
                              location.verb, describe(location.formal.allowed)));
  }
  check_letter(location, dtype, revision, letters, where);
}

// The model must be right by its own version of the op, which may allow less than the canonical
// one; and the rewriting counts on what the version requires.
void check_input(NameScope& scope, const onnx::NodeProto& node, const Signature& revision,
                 std::size_t i, Letters& letters, const std::string& where) {
  const Formal& formal = *formal_at(revision.inputs, i);
  const bool is_named = i < node.input.size();
  const std::string name = is_named ? node.input[i] : std::string();
  const std::optional<ValueId> id = name.empty() ? kAbsent : scope.find(name);
  if (!id) return;  // refused, as unknown, when the node is added
  if (*id == kAbsent) {
    if (formal.optional || i >= revision.inputs.size()) return;
    refuse(where, fmt::format("its input {} ({}) is missing", i, formal.name));
  }
  check_type(scope, *id, {"input", "takes", i, formal}, revision, letters, where);
}

Letters check_values(NameScope& scope, const onnx::NodeProto& node, const Signature& revision,
                     const std::string& where) {
  Letters letters = {};
  check_formals(revision.inputs, node.input.size(), "inputs", where);
  check_formals(revision.outputs, node.output.size(), "outputs", where);
  for (std::size_t i = 0; i < std::max(node.input.size(), revision.inputs.size()); ++i) {
    check_input(scope, node, revision, i, letters, where);
  }
  for (std::size_t i = node.output.size(); i < revision.outputs.size(); ++i) {
    if (revision.outputs[i].optional) continue;
    refuse(where, fmt::format("its output {} ({}) is missing", i, revision.outputs[i].name));
  }
  return letters;
}

// An output's type may follow from an attribute, of which a later version allows more.
void check_results(NameScope& scope, const onnx::NodeProto& node, const Signature& revision,
                   Letters& letters, const std::string& where) {
  for (std::size_t i = 0; i < node.output.size(); ++i) {
    const std::optional<ValueId> id = node.output[i].empty() ? kAbsent : scope.find(node.output[i]);
    if (!id || *id == kAbsent) continue;
    check_type(scope, *id, {"output", "gives", i, *formal_at(revision.outputs, i)}, revision,
               letters, where);
  }
}

void read_attributes(Reading& reading, const onnx::NodeProto& node, Attributes& attributes,
                     Bodies& bodies, const std::string& where) {
  for (const onnx::AttributeProto& attribute : node.attribute) {
    if (!attribute.ref_attr_name.empty()) {
      refuse(where,
             fmt::format("its attribute {} refers to a function's attribute, but the node lies "
                         "in no function",
                         in_quotes(attribute.name)));
    }
    if (attributes.has(attribute.name)) {
      refuse(where, fmt::format("it has the attribute {} twice", in_quotes(attribute.name)));
    }
    if (const onnx::GraphProto* body = body_of(attribute, where)) {
      bodies.emplace_back(attribute.name, body);
    } else {
      attributes.set(attribute.name, attribute_value(attribute, reading.external, where));
    }
  }
}

/// A node between its own version and the canonical one, with the nodes that the rewriting adds.
class Rewriting {
 public:
  Rewriting(Reading& reading, NameScope& scope, const onnx::NodeProto& node, std::string where)
      : reading_(reading), scope_(scope), where_(std::move(where)) {
    draft_.op = node.op_type;
    draft_.domain = plain_domain(node.domain);
    draft_.name = node.name;
    draft_.inputs = node.input;
    draft_.outputs = node.output;
    drop_absent_arguments();
    read_attributes(reading, node, draft_.attributes, bodies_, where_);
    offer_services();
  }

  void finish(int opset) {
    const Op& op = upgrade(draft_, opset);
    add_node(reading_, scope_,
             {&op, draft_.name, std::move(draft_.attributes), std::move(draft_.inputs),
              std::move(draft_.outputs), std::move(bodies_)},
             where_);
    for (auto after = after_.rbegin(); after != after_.rend(); ++after) {
      add_node(reading_, scope_, std::move(*after), where_);
    }
  }

 private:
  // An absent argument of a function has a name inside it.
  void drop_absent_arguments() {
    for (std::string& input : draft_.inputs) {
      if (scope_.find(input) == kAbsent) input.clear();
    }
    while (!draft_.inputs.empty() && draft_.inputs.back().empty()) draft_.inputs.pop_back();
  }

  void offer_services() {
    draft_.add_constant = [this](Literal literal) {
      std::string name = fresh_name();
      add_constant_value(scope_, name, std::move(literal), where_);
      return name;
    };
    draft_.add_node_before = [this](std::string op, Attributes attributes,
                                    std::vector<std::string> inputs) {
      std::string name = fresh_name();
      add_node(reading_, scope_,
               canonical(op, name, std::move(attributes), std::move(inputs), name), where_);
      return name;
    };
    draft_.add_node_after = [this](std::size_t output, std::string op, Attributes attributes,
                                   std::vector<std::string> inputs) {
      // The fresh name is only spoken for, as the node that makes the value comes later.
      std::string between = fmt::format("{}~{}", stem(), after_.size());
      std::string result = std::exchange(draft_.outputs.at(output), between);
      inputs.insert(inputs.begin(), between);
      after_.push_back(
          canonical(op, between, std::move(attributes), std::move(inputs), std::move(result)));
    };
    draft_.info = [this](std::size_t input) { return info(input); };
  }

  CanonicalNode canonical(const std::string& name, std::string node_name, Attributes attributes,
                          std::vector<std::string> inputs, std::string output) const {
    const Op* op = find_op("", name);
    if (!op) {
      throw Error(ErrorKind::internal,
                  fmt::format("{}: a rewriting adds the unknown op {}", where_, name));
    }
    check_attributes(name, op->canonical, attributes);
    return {
        op, std::move(node_name), std::move(attributes), std::move(inputs), {std::move(output)}};
  }

  ValueInfo info(std::size_t input) {
    if (input >= draft_.inputs.size() || draft_.inputs[input].empty()) return {};
    const std::optional<ValueId> id = scope_.find(draft_.inputs[input]);
    if (!id) {
      refuse(where_, fmt::format("no node, input or initializer makes its input {}",
                                 in_quotes(draft_.inputs[input])));
    }
    ValueInfo known = info_of(scope_.graph(), *id);
    // The graph's own literals move when a constant is added.
    if (known.literal) known.literal = &literals_.emplace_back(*known.literal);
    return known;
  }

  std::string stem() const {
    if (!draft_.name.empty()) return draft_.name;
    return draft_.outputs.empty() ? draft_.op : draft_.outputs.front();
  }
  std::string fresh_name() const { return scope_.fresh_name(stem()); }

  Reading& reading_;
  NameScope& scope_;
  std::string where_;
  NodeDraft draft_;
  Bodies bodies_;
  std::vector<CanonicalNode> after_;
  std::deque<Literal> literals_;
};

void read_body_node(Reading& reading, NameScope& scope, const onnx::NodeProto& node, const Op& op,
                    int opset, const std::string& where) {
  Attributes attributes;
  Bodies bodies;
  read_attributes(reading, node, attributes, bodies, where);
  if (!bodies.empty()) {
    refuse(where, fmt::format("the op has no body {}", in_quotes(bodies.front().first)));
  }
  check_attributes(node.op_type, revision_for(op, opset), attributes);
  read_body_op(reading, scope, node, op, attributes, where);
}

void read_op(Reading& reading, NameScope& scope, const onnx::NodeProto& node,
             const std::string& where) {
  const std::string domain = plain_domain(node.domain);
  const int opset = opset_of(scope.opsets(), domain, where);
  if (domain.empty() && node.op_type == "Constant") {
    return read_constant(reading, scope, node, where);
  }
  const Op& op = op_of(node, domain, opset, where);
  const Signature& revision = revision_for(op, opset);
  Letters letters = check_values(scope, node, revision, where);
  if (op.row->runs_on == RunsOn::body || op.row->write_body) {
    read_body_node(reading, scope, node, op, opset, where);
  } else {
    Rewriting(reading, scope, node, where).finish(opset);
  }
  check_results(scope, node, revision, letters, where);
}

}  // namespace

void read_node(Reading& reading, NameScope& scope, const onnx::NodeProto& node) {
  const std::string where = location_of(node, reading.file);
  try {
    if (const onnx::FunctionProto* function = called_function(reading, node)) {
      read_call(reading, scope, node, *function);
    } else {
      read_op(reading, scope, node, where);
    }
  } catch (const Error& error) {
    const std::string_view what = error.what();
    if (error.kind() != ErrorKind::model || what.substr(0, reading.file.size()) == reading.file) {
      throw;
    }
    // A rule knows its op but not its node.
    const std::string tag = fmt::format("[{}] ", node.op_type);
    refuse(where, std::string(what.substr(what.substr(0, tag.size()) == tag ? tag.size() : 0)));
  }
}

}  // namespace switchyard
