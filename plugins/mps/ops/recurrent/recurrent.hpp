// What a recurrent layer's node says, and the way to its kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/recurrent/recurrent_activation.hpp"
#include "switchyard/plugin/program.hpp"

namespace mps {

struct RecurrentLayer {
  uint32_t gates = 1;  // 1 of RNN, 3 of GRU, 4 of LSTM
  uint32_t directions = 1;
  bool reversed = false;  // of one direction
  bool batch_first = false;
  bool coupled = false;      // LSTM: the forget gate is what the input gate leaves
  bool reset_after = false;  // GRU: linear_before_reset
  float clip = 0;            // 0: none
  std::vector<RecurrentActivation> activations;  // direction by direction
};

// Throws sy::unsupported for what ONNX does not have.
RecurrentLayer recurrent_layer(const sy::Node& node);

}  // namespace mps
