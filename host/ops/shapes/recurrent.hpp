#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// RNN, GRU, LSTM: Y, Y_h and, for LSTM, Y_c, in either layout.
void recurrent_shape(Inference& node);

}  // namespace switchyard
