#include "onnx/graph/value_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/file_error.hpp"
#include "onnx/tensors/type_reader.hpp"
#include "ops/signature.hpp"

namespace switchyard {

namespace {

// Ops that take values of every kind, from an input on; their formals' letters cannot say so.
struct OfAnyKind {
  std::string_view op;
  std::size_t first;
};
constexpr OfAnyKind kOfAnyKind[] = {
    {"Identity", 0},           {"Optional", 0}, {"OptionalGetElement", 0}, {"Loop", 2},
    {"OptionalHasElement", 0}, {"If", 1},       {"SequenceMap", 1},
};

/// Of how many inputs, from the first, the formals say the kind.
std::size_t inputs_of_a_kind(const Node& node) {
  for (const OfAnyKind& row : kOfAnyKind) {
    if (node.op->row->domain.empty() && row.op == node.op->name()) return row.first;
  }
  return node.inputs.size();
}

ValueKind kind_of(Formal::Kind kind) {
  switch (kind) {
    case Formal::Kind::sequence: return ValueKind::sequence;
    case Formal::Kind::optional: return ValueKind::optional;
    default: return ValueKind::tensor;
  }
}

// The element type in "seq(tensor(float32))"; describe_type wrote it.
DType element_type(std::string_view type) {
  const std::size_t start = type.rfind('(') + 1;
  return dtype_named(type.substr(start, type.find(')') - start)).value_or(DType::undefined);
}

void set_optional(const Value* element, std::string_view type, Value& output) {
  output.kind = ValueKind::optional;
  if (element) {
    output.optional_of_sequence = element->kind == ValueKind::sequence;
  } else {
    output.optional_of_sequence = type.substr(0, 4) == "seq(";
    output.dtype = element_type(type);
  }
}

void set_element(const Value& input, Value& output) {
  const bool is_sequence = input.kind == ValueKind::sequence ||
                           (input.kind == ValueKind::optional && input.optional_of_sequence);
  output.kind = is_sequence ? ValueKind::sequence : ValueKind::tensor;
}

}  // namespace

std::string_view describe(ValueKind kind) {
  constexpr std::string_view names[] = {"a tensor", "a sequence", "an optional"};
  return names[static_cast<std::size_t>(kind)];
}

void check_input_kinds(const Graph& graph, const Node& node, const std::string& where) {
  const std::size_t count = std::min(node.inputs.size(), inputs_of_a_kind(node));
  for (std::size_t i = 0; i < count; ++i) {
    if (node.inputs[i] == kAbsent) continue;
    const Value& value = graph.values[node.inputs[i]];
    const Formal* formal = formal_at(node.op->canonical.inputs, i);
    if (!formal || kind_of(formal->kind) == value.kind) continue;
    refuse(where, fmt::format("input {} ({}) must be {}, but {} is {}", i, formal->name,
                              describe(kind_of(formal->kind)), in_quotes(value.name),
                              describe(value.kind)));
  }
}

void set_output_kinds(const Graph& graph, const Node& node, std::vector<Value>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Formal* formal = formal_at(node.op->canonical.outputs, i);
    outputs[i].kind = formal ? kind_of(formal->kind) : ValueKind::tensor;
  }
  if (inputs_of_a_kind(node) > 0 || outputs.empty()) return;
  const bool has_input = !node.inputs.empty() && node.inputs[0] != kAbsent;
  const Value* input = has_input ? &graph.values[node.inputs[0]] : nullptr;
  const std::string_view name = node.op->name();
  if (name == "Optional") set_optional(input, node.attributes.get_text("type", ""), outputs[0]);
  if (!input) return;
  if (name == "OptionalGetElement") set_element(*input, outputs[0]);
  if (name == "Identity") {
    outputs[0].kind = input->kind;
    outputs[0].optional_of_sequence = input->optional_of_sequence;
  }
}

}  // namespace switchyard
