// The steps of a recurrent layer in one direction, in float.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gemm/matrices.hpp"
#include "kernels/recurrent/recurrent_activation.hpp"

namespace cpu {

enum class RecurrentCell { rnn, gru, lstm };

// What the node says, whatever the shapes.
struct RecurrentLayer {
  RecurrentCell cell;
  int64_t gates;  // 1, 3 or 4
  int64_t directions;
  bool reverse;  // of one direction
  bool batch_first;
  bool coupled;      // LSTM: the forget gate is what the input gate leaves
  bool reset_after;  // GRU: linear_before_reset
  float clip;        // 0: none
  std::vector<RecurrentActivation> activations;
  PackedMatrix input_weights, state_weights;
};

// One direction's numbers while it runs, all in float.
struct RecurrentPass {
  const RecurrentLayer& layer;
  int64_t steps, batch, hidden;
  const RecurrentActivation* activate;
  const float* state_bias;    // gates * hidden, or null
  const float* peephole;      // 3 * hidden: input, output, forget; or null
  const float* state_matrix;  // gates * hidden rows of hidden
  const float* state_panels;  // the matrix packed, or null
  float* gates;               // steps * batch rows of gates * hidden: input products and biases
  float* h;                   // batch * hidden
  float* c;                   // likewise; LSTM

  // The packed matrix from a gate's first row on, if a panel begins there; else null.
  const float* panels_from(int64_t row) const;
};

using EmitState = std::function<void(int64_t step, int64_t b, const float* h)>;

// Runs the steps of one direction; `emit(step, b, h)` for each state that is really reached.
void run_pass(RecurrentPass& pass, bool reverse, const std::vector<int64_t>& lengths,
              const EmitState& emit);

}  // namespace cpu
