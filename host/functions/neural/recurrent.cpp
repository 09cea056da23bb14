// Layers that carry a state from step to step: by the ops where they know the layer, else by steps.
#include "functions/neural/recurrent.hpp"

#include <array>
#include <string>
#include <switchyard/functions.hpp>
#include <vector>

#include "functions/calls/call.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kRnn("RNN"), kGru("GRU"), kLstm("LSTM");

/// Rows of `x` as ONNX orders gates: update, reset, hidden of a GRU; input, output, forget, cell of
/// an LSTM.
Tensor in_order_of_op(RecurrentCell cell, const Tensor& x) {
  if (gate_count(cell) == 1) return x;
  const std::vector<Tensor> gates = chunk(x, gate_count(cell));
  return cell == RecurrentCell::gru ? cat({gates[1], gates[0], gates[2]})
                                    : cat({gates[0], gates[3], gates[1], gates[2]});
}

RecurrentResult by_op(RecurrentCell cell, const Tensor& x,
                      std::span<const RecurrentWeights> weights, const RecurrentState& first) {
  const auto [input, state, bias] = weights_of_op(cell, weights);
  Attributes given =
      attributes({{"direction", std::string(weights.size() == 2 ? "bidirectional" : "forward")},
                  {"hidden_size", first.h.size(2)}});
  std::vector<Tensor> made;
  if (cell == RecurrentCell::lstm) {
    made = kLstm.outputs(3, {x, input, state, bias, {}, first.h, first.c}, std::move(given));
  } else if (cell == RecurrentCell::gru) {
    given.set("linear_before_reset", std::int64_t{1});
    made = kGru.outputs(2, {x, input, state, bias, {}, first.h}, std::move(given));
  } else {
    const std::string function = cell == RecurrentCell::rnn_relu ? "Relu" : "Tanh";
    given.set("activations", std::vector<std::string>(weights.size(), function));
    made = kRnn.outputs(2, {x, input, state, bias, {}, first.h}, std::move(given));
  }
  // [steps, directions, N, H]
  const Tensor output = flatten(transpose(made[0], 1, 2), 2);
  return {output, {made[1], made.size() > 2 ? made[2] : Tensor()}};
}

/// One direction, step by step; writes the states that it reaches to `states`.
RecurrentState run_steps(RecurrentCell cell, const Tensor& x, const RecurrentWeights& weights,
                         bool backwards, RecurrentState state, std::vector<Tensor>& states) {
  const std::vector<Tensor> from_input = unbind(linear(x, weights.input, weights.input_bias));
  states.resize(from_input.size());
  for (std::size_t i = 0; i < from_input.size(); ++i) {
    const std::size_t at = backwards ? from_input.size() - 1 - i : i;
    const Tensor from_state = linear(state.h, weights.state, weights.state_bias);
    state = recurrent_step(cell, from_input[at], from_state, state);
    if (weights.projection.defined()) state.h = linear(state.h, weights.projection);
    states[at] = state.h;
  }
  return state;
}

RecurrentResult by_steps(RecurrentCell cell, const Tensor& x,
                         std::span<const RecurrentWeights> weights, const RecurrentState& first) {
  std::vector<Tensor> outputs, last_h, last_c;
  for (std::size_t d = 0; d < weights.size(); ++d) {
    const auto direction = static_cast<std::int64_t>(d);
    RecurrentState state{select(first.h, 0, direction), {}};
    if (first.c.defined()) state.c = select(first.c, 0, direction);
    std::vector<Tensor> states;
    state = run_steps(cell, x, weights[d], d == 1, state, states);
    outputs.push_back(stack(states));
    last_h.push_back(state.h);
    if (state.c.defined()) last_c.push_back(state.c);
  }
  return {cat(outputs, 2), {stack(last_h), last_c.empty() ? Tensor() : stack(last_c)}};
}

}  // namespace

std::int64_t gate_count(RecurrentCell cell) {
  switch (cell) {
    case RecurrentCell::lstm: return 4;
    case RecurrentCell::gru: return 3;
    default: return 1;
  }
}

std::array<Tensor, 3> weights_of_op(RecurrentCell cell, std::span<const RecurrentWeights> weights) {
  std::vector<Tensor> input, state, bias;
  for (const RecurrentWeights& of : weights) {
    input.push_back(in_order_of_op(cell, of.input));
    state.push_back(in_order_of_op(cell, of.state));
    if (!of.input_bias.defined()) continue;
    bias.push_back(cat({in_order_of_op(cell, of.input_bias), in_order_of_op(cell, of.state_bias)}));
  }
  return {stack(input), stack(state), bias.empty() ? Tensor() : stack(bias)};
}

RecurrentState recurrent_step(RecurrentCell cell, const Tensor& from_input,
                              const Tensor& from_state, const RecurrentState& before) {
  if (cell == RecurrentCell::gru) {
    const std::vector<Tensor> in = chunk(from_input, 3, -1), own = chunk(from_state, 3, -1);
    const Tensor reset = sigmoid(add(in[0], own[0]));
    const Tensor update = sigmoid(add(in[1], own[1]));
    const Tensor fresh = tanh(add(in[2], mul(reset, own[2])));
    return {add(fresh, mul(update, sub(before.h, fresh))), {}};
  }
  const Tensor gates = add(from_input, from_state);
  if (cell != RecurrentCell::lstm) {
    return {cell == RecurrentCell::rnn_relu ? relu(gates) : tanh(gates), {}};
  }
  const std::vector<Tensor> gate = chunk(gates, 4, -1);
  const Tensor kept = mul(sigmoid(gate[1]), before.c);
  const Tensor c = add(kept, mul(sigmoid(gate[0]), tanh(gate[2])));
  return {mul(sigmoid(gate[3]), tanh(c)), c};
}

/// Devices need not know the ops of float64, nor does any op know projections.
RecurrentResult recurrent_layer(RecurrentCell cell, const Tensor& x,
                                std::span<const RecurrentWeights> weights,
                                const RecurrentState& first) {
  const bool is_of_op = x.dtype() != DType::float64 && !weights[0].projection.defined();
  return is_of_op ? by_op(cell, x, weights, first) : by_steps(cell, x, weights, first);
}

}  // namespace switchyard
