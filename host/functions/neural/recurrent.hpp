#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// What carries a state from step to step. Gates are in PyTorch's order: reset, update, new of a
/// GRU; input, forget, cell, output of an LSTM.
enum class RecurrentCell : std::uint8_t { rnn_tanh, rnn_relu, gru, lstm };

/// How many gates a cell has, each as wide as its state.
std::int64_t gate_count(RecurrentCell cell);

/// The weights of one direction of a layer, H being the width of its state and G that of all gates.
struct RecurrentWeights {
  Tensor input;                   // [G, inputs]
  Tensor state;                   // [G, H]
  Tensor input_bias, state_bias;  // [G], or no tensors
  Tensor projection;              // of an LSTM: [projected, H], or no tensor
};

/// What ONNX's op of the cell takes: W [directions, G, inputs], R [directions, G, H], and B
/// [directions, 2 G] or no tensor, with the gates in its order.
std::array<Tensor, 3> weights_of_op(RecurrentCell cell, std::span<const RecurrentWeights> weights);

/// [N, H], or of a layer [directions, N, H]; `c` is for an LSTM alone.
struct RecurrentState {
  Tensor h, c;
};

/// The state after a step, of the gates' numbers [N, G] that come of the input and of the state
/// before it, each with its bias.
RecurrentState recurrent_step(RecurrentCell cell, const Tensor& from_input,
                              const Tensor& from_state, const RecurrentState& before);

struct RecurrentResult {
  Tensor output;  // [steps, N, directions * H]
  RecurrentState last;
};
/// All steps of a layer: x [steps, N, inputs], the weights of one direction or of two, of which the
/// second one runs backwards. All tensors are of one dtype. Steps are at least 1.
RecurrentResult recurrent_layer(RecurrentCell cell, const Tensor& x,
                                std::span<const RecurrentWeights> weights,
                                const RecurrentState& first);

}  // namespace switchyard
