#include "programs/graph_piece.hpp"

#include "ops/building/graph_builder.hpp"

namespace mps {
namespace {

uint32_t index_of(const Flow& flow, const sy_value& value) {
  const auto distance =
      reinterpret_cast<const char*>(&value) - reinterpret_cast<const char*>(flow.program.values);
  return static_cast<uint32_t>(static_cast<size_t>(distance) / value.struct_size);
}

bool is_embedded(const sy_value& value, uint64_t most_bytes) {
  if (!sy::is_constant(value) || value.data == nullptr) return false;
  const auto count = static_cast<uint64_t>(sy::element_count(sy::shape_of(value)));
  return sy::contiguous_bytes(value.dtype, count) <= most_bytes;
}

GraphBuilder::Supply supply_from(const Flow& flow, uint64_t most_bytes) {
  return
      [&flow, most_bytes](GraphBuilder& graph, const sy_value& value) -> std::optional<uint32_t> {
        if (const auto& seen = flow.seen[index_of(flow, value)]) {
          return lower_view(graph, graph.value(flow.value(seen->source)), seen->view);
        }
        if (is_embedded(value, most_bytes)) return graph.constant(type_of(value), value.data);
        return std::nullopt;
      };
}

}  // namespace

MadePiece make_graph_piece(Device& device, const Flow& flow,
                           const std::vector<Abilities>& abilities, const Piece& piece,
                           std::vector<uint32_t> outputs) {
  GraphBuilder graph(traits_of(device.info()), supply_from(flow, device.graph_constant_bytes()));
  for (const uint32_t number : piece.nodes) {
    const sy::Node& node = flow.nodes[number];
    graph.define(node.required_output(0), abilities[number].graph_row->lower(graph, node));
  }
  std::vector<uint32_t> results;
  for (const uint32_t value : outputs) results.push_back(graph.value(flow.value(value)));
  MadePiece made;
  made.kernel = graph.kernel(device, std::move(results));
  for (const sy_value* value : graph.fed()) made.inputs.push_back(index_of(flow, *value));
  made.outputs = std::move(outputs);
  return made;
}

}  // namespace mps
