#include "onnx/bodies/body_types.hpp"

#include <fmt/format.h>

#include "graph/control/scan_walk.hpp"
#include "io/file_error.hpp"
#include "onnx/graph/value_kinds.hpp"

namespace switchyard {

namespace {

Value tensor_value(DType dtype, std::optional<Dims> shape) {
  Value value;
  value.dtype = dtype;
  value.shape = std::move(shape);
  return value;
}

Value type_of(const Graph& graph, ValueId id) {
  if (id == kAbsent) return {};
  const Value& value = graph.values[id];
  Value type = tensor_value(value.dtype, value.shape);
  type.kind = value.kind;
  type.optional_of_sequence = value.optional_of_sequence;
  return type;
}

// A value that each round may give another shape.
Value carried_type(Value value) {
  value.shape.reset();
  return value;
}

std::vector<Value> loop_inputs(const Graph& graph, const Node& node) {
  std::vector<Value> known{tensor_value(DType::int64, Dims{}), tensor_value(DType::bool_, Dims{})};
  for (std::size_t i = 2; i < node.inputs.size(); ++i) {
    known.push_back(carried_type(type_of(graph, node.inputs[i])));
  }
  return known;
}

std::vector<Value> scan_inputs(const Graph& graph, const Node& node) {
  const std::size_t states = control::scan_states(node.attributes, node.inputs.size());
  const control::ScanLists scanned =
      control::scanned_inputs(node.attributes, node.inputs.size() - states);
  std::vector<Value> known;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    Value value = type_of(graph, node.inputs[i]);
    if (i >= states && value.shape) {
      value.shape->erase(control::scan_axis(control::kScanInputAxes, scanned.axes[i - states],
                                            value.shape->size()));
    }
    known.push_back(std::move(value));
  }
  return known;
}

void check_body(const Node& node, std::size_t i, std::size_t inputs, std::size_t outputs) {
  const auto& [name, body] = node.bodies[i];
  if (body->inputs.size() == inputs && body->outputs.size() == outputs) return;
  refuse(fmt::format("[{}]", node.op->name()),
         fmt::format("its {} must have {} inputs and {} outputs, but has {} and {}", name, inputs,
                     outputs, body->inputs.size(), body->outputs.size()));
}

// Of a body's output that is carried on, or collected in a tensor or sequence.
void require_kind(const Node& node, const Value& output, ValueKind kind, std::string_view role) {
  if (output.kind == kind) return;
  refuse(fmt::format("[{}]", node.op->name()),
         fmt::format("its body gives {} for {}, which must be {}", describe(output.kind), role,
                     describe(kind)));
}

// What holds for both of two values.
Value merged(const Value& a, const Value& b) {
  if (a.kind != b.kind ||
      (a.dtype != b.dtype && a.dtype != DType::undefined && b.dtype != DType::undefined)) {
    refuse("[If]", fmt::format("its branches give one output as {} and as {}", name_of(a.dtype),
                               name_of(b.dtype)));
  }
  Value value = a.dtype == DType::undefined ? b : a;
  value.shape.reset();
  if (a.shape && b.shape && a.shape->size() == b.shape->size()) {
    value.shape = a.shape;
    for (std::size_t i = 0; i < a.shape->size(); ++i) {
      if ((*a.shape)[i] != (*b.shape)[i]) (*value.shape)[i] = kUnknown;
    }
  }
  return value;
}

std::vector<Value> if_outputs(const Node& node) {
  const std::size_t count = node.outputs.size();
  std::vector<Value> outputs;
  for (std::size_t body = 0; body < node.bodies.size(); ++body) check_body(node, body, 0, count);
  // A branch that cannot be run gives nothing: the results are the other's.
  const bool has_first = node.bodies.front().second->refusal.empty();
  const bool has_second = node.bodies.back().second->refusal.empty();
  const Graph& first = *(has_first ? node.bodies.front() : node.bodies.back()).second;
  const Graph& second = *(has_second ? node.bodies.back() : node.bodies.front()).second;
  for (std::size_t i = 0; i < count; ++i) {
    outputs.push_back(merged(type_of(first, first.outputs[i]), type_of(second, second.outputs[i])));
  }
  return outputs;
}

std::vector<Value> loop_outputs(const Graph& graph, const Node& node) {
  const std::size_t inputs = std::max<std::size_t>(node.inputs.size(), 2);
  const Graph& body = *node.bodies.front().second;
  const std::size_t carried = inputs - 2;
  check_body(node, 0, inputs, node.outputs.size() + 1);
  std::vector<Value> outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Value value = type_of(body, body.outputs[i + 1]);
    if (i < carried) {
      const Value initial = type_of(graph, node.inputs[i + 2]);
      // An optional may come back as what it holds.
      if (initial.kind != ValueKind::optional) {
        require_kind(node, value, initial.kind, "a carried value");
      }
      if (value.dtype == DType::undefined) value.dtype = initial.dtype;
      value.shape.reset();  // no round at all gives the initial value's
    } else {
      require_kind(node, value, ValueKind::tensor, "a scan output");
      if (value.shape) value.shape->insert(0, kUnknown);
    }
    outputs.push_back(std::move(value));
  }
  return outputs;
}

std::vector<Value> scan_outputs(const Node& node) {
  const std::size_t states = control::scan_states(node.attributes, node.inputs.size());
  const Graph& body = *node.bodies.front().second;
  check_body(node, 0, node.inputs.size(), node.outputs.size());
  if (node.outputs.size() < states) {
    refuse("[Scan]",
           fmt::format("its {} outputs are fewer than its {} states", node.outputs.size(), states));
  }
  const control::ScanLists collected =
      control::collected_outputs(node.attributes, node.outputs.size() - states);
  std::vector<Value> outputs;
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    Value value = type_of(body, body.outputs[i]);
    require_kind(node, value, ValueKind::tensor, i < states ? "a state" : "a scan output");
    if (i >= states && value.shape) {
      const std::size_t axis = control::scan_axis(
          control::kScanOutputAxes, collected.axes[i - states], value.shape->size() + 1);
      value.shape->insert(axis, kUnknown);
    }
    outputs.push_back(std::move(value));
  }
  return outputs;
}

// One sequence for each output of the body.
std::vector<Value> mapped_outputs(const Node& node) {
  const Graph& body = *node.bodies.front().second;
  check_body(node, 0, node.inputs.size(), node.outputs.size());
  std::vector<Value> outputs;
  for (const ValueId id : body.outputs) {
    const Value value = type_of(body, id);
    require_kind(node, value, ValueKind::tensor, "an element");
    outputs.push_back(tensor_value(value.dtype, std::nullopt));
    outputs.back().kind = ValueKind::sequence;
  }
  return outputs;
}

}  // namespace

std::vector<Value> body_inputs(const Graph& graph, const Node& node) {
  if (node.op->name() == "Loop") return loop_inputs(graph, node);
  if (node.op->name() == "Scan") return scan_inputs(graph, node);
  return {};
}

std::vector<Value> body_outputs(const Graph& graph, const Node& node) {
  if (node.op->name() == "If") return if_outputs(node);
  if (node.op->name() == "Loop") return loop_outputs(graph, node);
  if (node.op->name() == "Scan") return scan_outputs(node);
  return mapped_outputs(node);
}

}  // namespace switchyard
