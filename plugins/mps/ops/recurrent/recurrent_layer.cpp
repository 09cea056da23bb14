#include <array>
#include <string_view>

#include "ops/recurrent/recurrent.hpp"

namespace mps {
namespace {

struct Cell {
  std::string_view op;
  uint32_t gates;
  size_t activation_count;
  std::array<std::string_view, 3> activations;
};

const Cell& cell_of(const sy::Node& node) {
  static constexpr Cell cells[] = {{"RNN", 1, 1, {"tanh"}},
                                   {"GRU", 3, 2, {"sigmoid", "tanh"}},
                                   {"LSTM", 4, 3, {"sigmoid", "tanh", "tanh"}}};
  for (const Cell& cell : cells) {
    if (cell.op == node.op()) return cell;
  }
  throw sy::bug("no recurrent cell of ", node.op());
}

}  // namespace

RecurrentLayer recurrent_layer(const sy::Node& node) {
  const std::string_view direction = node.text("direction", "forward");
  if (direction != "forward" && direction != "reverse" && direction != "bidirectional") {
    throw sy::unsupported(SY_REASON_ATTRIBUTE, node.op(), " does not know direction '", direction,
                          "'");
  }
  const Cell& cell = cell_of(node);
  RecurrentLayer layer;
  layer.gates = cell.gates;
  layer.directions = direction == "bidirectional" ? 2 : 1;
  layer.reversed = direction == "reverse";
  layer.batch_first = node.flag("layout");
  layer.coupled = cell.gates == 4 && node.flag("input_forget");
  layer.reset_after = cell.gates == 3 && node.flag("linear_before_reset");
  layer.clip = node.real("clip", 0);
  const auto first = cell.activations.begin();
  layer.activations =
      recurrent_activations(node, layer.directions, {first, first + cell.activation_count});
  return layer;
}

}  // namespace mps
