#include "graph/graph.hpp"

namespace switchyard {

Graph copy_of(const Graph& graph) {
  Graph copy;
  copy.name = graph.name;
  copy.values = graph.values;
  copy.inputs = graph.inputs;
  copy.outputs = graph.outputs;
  copy.captures = graph.captures;
  copy.refusal = graph.refusal;
  copy.nodes.reserve(graph.nodes.size());
  for (const Node& node : graph.nodes) {
    Node& made = copy.nodes.emplace_back();
    made.op = node.op;
    made.name = node.name;
    made.attributes = node.attributes;
    made.inputs = node.inputs;
    made.outputs = node.outputs;
    for (const auto& [name, body] : node.bodies) {
      made.bodies.emplace_back(name, std::make_unique<Graph>(copy_of(*body)));
    }
  }
  return copy;
}

}  // namespace switchyard
