// Layers that carry a state from step to step, beginning with zeros.
#include <fmt/format.h>

#include <string_view>
#include <switchyard/nn/recurrent.hpp>

#include "functions/neural/recurrent.hpp"
#include "onnx/export/layer.hpp"

namespace switchyard {
namespace {

using Numbers = std::vector<std::int64_t>;

/// One layer: [steps, batch, inputs] to [steps, batch, directions * hidden]; the first two turned
/// where the example of the whole has the batch first.
void write_recurrent_layer(const ExportedLayer& layer, std::string_view op, RecurrentCell cell,
                           std::int64_t k, const std::vector<WrittenAttribute>& more) {
  const auto& module = static_cast<const nn::RNNBase&>(layer.module);
  GraphWriter& graph = layer.graph;
  std::vector<RecurrentWeights> weights;
  const std::int64_t directions = module.bidirectional ? 2 : 1;
  for (std::int64_t d = 0; d < directions; ++d) {
    const auto& of = module.all_weights[static_cast<std::size_t>(k * directions + d)];
    weights.push_back({of.weight_ih, of.weight_hh, of.bias_ih, of.bias_hh, of.weight_hr});
  }
  const auto made = weights_of_op(cell, weights);
  std::vector<std::string> inputs{graph.constant(fmt::format("weight_ih_l{}", k), made[0]),
                                  graph.constant(fmt::format("weight_hh_l{}", k), made[1])};
  if (module.bias) inputs.push_back(graph.constant(fmt::format("bias_l{}", k), made[2]));
  std::vector<WrittenAttribute> attributes{
      {"direction", std::string_view(directions == 2 ? "bidirectional" : "forward")},
      {"hidden_size", module.hidden_size}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  graph.append(op, inputs, attributes);
  // [steps, directions, batch, hidden]
  graph.append("Transpose", {}, {{"perm", Numbers{0, 2, 1, 3}}});
  graph.append("Reshape", {graph.constant("joined", Numbers{0, 0, -1})});
}

void write_recurrent(const ExportedLayer& layer, std::string_view op, RecurrentCell cell,
                     const std::vector<WrittenAttribute>& more = {}) {
  layer.require_batch(1);
  const auto& module = static_cast<const nn::RNNBase&>(layer.module);
  if (module.proj_size > 0) layer.refuse("ONNX knows no projections; leave proj_size out");
  const auto turn = [&] {
    if (module.batch_first) layer.graph.append("Transpose", {}, {{"perm", Numbers{1, 0, 2}}});
  };
  turn();
  for (std::int64_t k = 0; k < module.num_layers; ++k) {
    write_recurrent_layer(layer, op, cell, k, more);
  }
  turn();
}

void write_lstm(const ExportedLayer& layer) { write_recurrent(layer, "LSTM", RecurrentCell::lstm); }
void write_gru(const ExportedLayer& layer) {
  write_recurrent(layer, "GRU", RecurrentCell::gru, {{"linear_before_reset", std::int64_t{1}}});
}
void write_rnn(const ExportedLayer& layer) {
  if (layer.as<nn::RNN>().nonlinearity == nn::RNNNonlinearity::relu) {
    layer.refuse("an RNN is written with tanh alone");
  }
  write_recurrent(layer, "RNN", RecurrentCell::rnn_tanh);
}

}  // namespace

std::vector<LayerRow> recurrent_layer_rows() {
  return {
      {typeid(nn::RNN), write_rnn}, {typeid(nn::GRU), write_gru}, {typeid(nn::LSTM), write_lstm}};
}

}  // namespace switchyard
