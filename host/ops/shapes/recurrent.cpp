#include "ops/shapes/recurrent.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "ops/shapes/constraints.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "ops/shapes/movement/extents.hpp"
#include "types/describe.hpp"

namespace switchyard {

namespace {

/// What the inputs and outputs of a layer share, as far as it is known.
struct Layer {
  std::int64_t directions, gates;
  std::int64_t steps = kUnknown, batch = kUnknown, inputs = kUnknown, hidden = kUnknown;
  bool batch_first;

  Dims state() const {
    return batch_first ? Dims{batch, directions, hidden} : Dims{directions, batch, hidden};
  }
};

std::int64_t direction_count(const Inference& node) {
  return node.attributes().get_text("direction", "forward") == "bidirectional" ? 2 : 1;
}

/// How wide the state is, by hidden_size, else by whichever weights tell.
std::int64_t hidden_size(const Inference& node, std::int64_t gates) {
  std::int64_t hidden = kUnknown;
  if (node.attributes().has("hidden_size")) {
    hidden = attribute_within(node, "hidden_size", 1, 1, kTooLarge);
  }
  if (node.has_rank(2)) {
    hidden = agreed(node, hidden, node.shape(2)[2], "hidden_size and the last extent of R");
  }
  for (std::size_t input : {1u, 2u}) {
    if (hidden != kUnknown || !node.has_rank(input)) continue;
    const std::int64_t rows = node.shape(input)[1];
    if (rows == kUnknown) continue;
    if (rows % gates != 0) {
      node.mismatch(fmt::format("the weights {} have {} rows, which do not divide into {} gates",
                                describe(node.shape(input)), rows, gates));
    }
    hidden = rows / gates;
  }
  return hidden;
}

Layer layer_of(const Inference& node, std::int64_t gates) {
  require_rank(node, 0, {3}, "[steps, batch, inputs], or batch first with layout 1");
  require_rank(node, 1, {3}, "[directions, gates * hidden, inputs]");
  require_rank(node, 2, {3}, "[directions, gates * hidden, hidden]");
  Layer layer{.directions = direction_count(node),
              .gates = gates,
              .batch_first = node.attributes().get_int("layout", 0) != 0};
  layer.hidden = hidden_size(node, gates);
  if (node.has_rank(0)) {
    layer.steps = node.shape(0)[layer.batch_first ? 1 : 0];
    layer.batch = node.shape(0)[layer.batch_first ? 0 : 1];
    layer.inputs = node.shape(0)[2];
  }
  if (node.has_rank(1)) {
    layer.inputs = agreed(node, layer.inputs, node.shape(1)[2], "the last extents of X and W");
  }
  return layer;
}

/// The functions that a layer may be made of, in lower case: their letters' case does not count.
constexpr std::string_view kActivations[] = {
    "relu", "tanh",        "sigmoid",  "affine",   "leakyrelu", "thresholdedrelu",
    "elu",  "hardsigmoid", "softsign", "softplus", "scaledtanh"};

bool is_activation(std::string_view name) {
  const auto is_same = [&](std::string_view known) {
    return std::equal(name.begin(), name.end(), known.begin(), known.end(), [](char a, char b) {
      return a == b || (a >= 'A' && a <= 'Z' && a - 'A' + 'a' == b);
    });
  };
  return std::any_of(std::begin(kActivations), std::end(kActivations), is_same);
}

/// RNN's default has a function for each of two directions, whatever there are.
void check_activations(const Inference& node, const Layer& layer) {
  const std::vector<std::string> names = node.attributes().get_texts("activations");
  if (names.empty()) return;
  const std::int64_t each = layer.gates == 1 ? 1 : layer.gates - 1;
  const bool is_default = layer.gates == 1 && names == std::vector<std::string>{"Tanh", "Tanh"};
  const std::int64_t wanted = each * layer.directions;
  if (!is_default && static_cast<std::int64_t>(names.size()) != wanted) {
    node.fail(fmt::format("activations holds {} names; it must hold {}, {} for each direction",
                          names.size(), wanted, each));
  }
  for (const std::string& name : names) {
    if (is_activation(name)) continue;
    node.fail(
        fmt::format("activations holds \"{}\", which is not a function that ONNX lists", name));
  }
}

void check_inputs(const Inference& node, const Layer& layer) {
  const std::int64_t rows = multiply_extents(layer.gates, layer.hidden);
  require_shape(node, 1, "W", {layer.directions, rows, layer.inputs},
                "directions, gates * hidden, inputs");
  require_shape(node, 2, "R", {layer.directions, rows, layer.hidden},
                "directions, gates * hidden, hidden");
  require_shape(node, 3, "B", {layer.directions, multiply_extents(2, rows)},
                "directions, 2 * gates * hidden");
  require_one_for_each(node, 4, "sequence_lens", layer.batch, "entries of the batch");
  const std::string_view state =
      layer.batch_first ? "batch, directions, hidden" : "directions, batch, hidden";
  require_shape(node, 5, "initial_h", layer.state(), state);
  require_shape(node, 6, "initial_c", layer.state(), state);
  require_shape(node, 7, "P", {layer.directions, multiply_extents(3, layer.hidden)},
                "directions, 3 * hidden");
}

void recurrent_shape(Inference& node, std::int64_t gates) {
  const Layer layer = layer_of(node, gates);
  check_activations(node, layer);
  check_inputs(node, layer);
  node.set_shape(0, layer.batch_first
                        ? Dims{layer.batch, layer.steps, layer.directions, layer.hidden}
                        : Dims{layer.steps, layer.directions, layer.batch, layer.hidden});
  node.set_shape(1, layer.state());
  node.set_shape(2, layer.state());
}

}  // namespace

void rnn_shape(Inference& node) { recurrent_shape(node, 1); }
void gru_shape(Inference& node) { recurrent_shape(node, 3); }
void lstm_shape(Inference& node) { recurrent_shape(node, 4); }

}  // namespace switchyard
