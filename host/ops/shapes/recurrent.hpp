#pragma once

#include "ops/row.hpp"

namespace switchyard {

/// RNN, GRU and LSTM: Y, Y_h and, for LSTM, Y_c, in either layout.
void recurrent_shape(Inference& node);

}  // namespace switchyard
