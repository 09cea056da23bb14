#include "ops/building/graph_builder.hpp"
#include "programs/cut.hpp"

namespace mps {
namespace {

bool is_needed(const Flow& flow, uint32_t value) {
  return flow.is_output[value] || !flow.users[value].empty();
}

// Graphs have no element types of some kinds, and take no tensors without elements.
bool is_fit_for_graphs(const sy_value& value) {
  return has_element_type(value.dtype) && sy::element_count(sy::shape_of(value)) > 0;
}

bool has_fit_values(const Flow& flow, const sy::Node& node) {
  if (node.output(0) == nullptr) return false;
  for (uint32_t i = 0; i < node.input_count(); ++i) {
    const sy_value* value = node.input(i);
    if (value == nullptr || sy::is_host_input(*value)) continue;
    if (!is_fit_for_graphs(*value)) return false;
  }
  for (uint32_t i = 1; i < node.output_count(); ++i) {
    const uint32_t other = node.raw().outputs[i];
    if (other != SY_ABSENT && is_needed(flow, other)) return false;
  }
  return is_fit_for_graphs(*node.output(0));
}

// Tried in a graph of its own, which is thrown away.
bool can_lower(const KernelRow& row, const sy::Node& node, Traits traits) {
  GraphBuilder graph(traits);
  try {
    row.lower(graph, node);
    return true;
  } catch (const sy::Failure& failure) {
    if (failure.status() != SY_UNSUPPORTED) throw;
    return false;
  }
}

}  // namespace

std::vector<Abilities> abilities_of(const Flow& flow, Traits traits, bool writes_chains) {
  std::vector<Abilities> abilities(flow.nodes.size());
  for (const uint32_t number : flow.live) {
    const sy::Node& node = flow.nodes[number];
    Abilities& able = abilities[number];
    able.row = &select_row(node, traits);
    const KernelRow* graph_row = has_fit_values(flow, node) ? select_graph_row(node) : nullptr;
    if (graph_row != nullptr && can_lower(*graph_row, node, traits)) able.graph_row = graph_row;
    able.chain = writes_chains && able.row->write != nullptr && node.output(0) != nullptr;
  }
  return abilities;
}

}  // namespace mps
