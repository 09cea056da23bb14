#include "graph/host_work.hpp"

#include <algorithm>

namespace switchyard {
namespace {

bool is_counting_type(DType dtype) {
  return dtype == DType::bool_ || dtype == DType::int32 || dtype == DType::int64;
}

/// Inputs whose value decides what runs or how large it gets.
bool decides(const Node& node, std::size_t input) {
  if (node.op->is_host_input(input)) return true;
  const std::string_view op = node.op->name();
  return (op == "If" && input == 0) || (op == "Loop" && input <= 1);
}

}  // namespace

std::vector<ValueId> derived_model_inputs(const Graph& graph) {
  std::vector<ValueId> inputs;
  for (ValueId input : graph.inputs) {
    if (input == kAbsent) continue;
    const Value& value = graph.values[input];
    if (value.kind == ValueKind::tensor && is_counting_type(value.dtype)) inputs.push_back(input);
  }
  return inputs;
}

HostDerived find_host_derived(const Graph& graph, const std::vector<ValueId>& derived_inputs) {
  HostDerived derived(graph.values.size(), false);
  for (ValueId input : derived_inputs) derived[input] = true;
  for (std::size_t v = 0; v < graph.values.size(); ++v) {
    if (graph.values[v].constant) derived[v] = true;
  }
  for (const Node& node : graph.nodes) {
    const RunsOn runs_on = node.op->row->runs_on;
    if (runs_on == RunsOn::control || node.op->row->random) continue;
    const bool from_derived =
        std::all_of(node.inputs.begin(), node.inputs.end(),
                    [&](ValueId input) { return input == kAbsent || derived[input]; });
    if (runs_on != RunsOn::literal && !from_derived) continue;
    for (ValueId output : node.outputs) {
      if (output != kAbsent) derived[output] = true;
    }
  }
  return derived;
}

std::vector<bool> find_host_work(const Graph& graph, const HostDerived& derived,
                                 const std::vector<ValueId>& required_outputs) {
  std::vector<bool> needed(graph.values.size(), false);
  for (ValueId output : required_outputs) needed[output] = true;
  std::vector<bool> host_work(graph.nodes.size(), false);
  for (std::size_t n = graph.nodes.size(); n-- > 0;) {
    const Node& node = graph.nodes[n];
    const bool wanted = std::any_of(node.outputs.begin(), node.outputs.end(), [&](ValueId output) {
      return output != kAbsent && needed[output] && derived[output];
    });
    host_work[n] = wanted && node.op->row->runs_on != RunsOn::control;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const ValueId input = node.inputs[i];
      if (input == kAbsent) continue;
      const bool passes_on = host_work[n] && node.op->row->runs_on != RunsOn::literal;
      if (decides(node, i) || passes_on) needed[input] = true;
    }
  }
  return host_work;
}

}  // namespace switchyard
