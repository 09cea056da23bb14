#pragma once

#include "ops/row.hpp"

namespace switchyard {

// Y, Y_h and, for LSTM, Y_c, in either layout, after a check of all inputs against each other.
void rnn_shape(Inference& node);
void gru_shape(Inference& node);
void lstm_shape(Inference& node);

}  // namespace switchyard
