#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <switchyard/tensor.hpp>

#include "ops/attributes.hpp"

namespace switchyard {

/// Y, Y_h and, of LSTM, Y_c of ONNX's RNN, GRU and LSTM, number by number in double.
std::vector<Tensor> recurrent_by_hand(std::string_view op, std::span<const Tensor> inputs,
                                      const Attributes& given);

}  // namespace switchyard
