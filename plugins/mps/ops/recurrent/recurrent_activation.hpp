// The activation functions of recurrent layers, by ONNX's names, which ignore case.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/plugin/program.hpp"

namespace mps {

// As kernels/recurrent.metal reads it.
struct RecurrentActivation {
  uint32_t function = 0;
  float alpha = 0;
  float beta = 0;
};

// A function for each of `defaults` in each direction: the node's, or the defaults where it names
// none. Throws sy::unsupported for a name that ONNX does not have, or too few of them.
std::vector<RecurrentActivation> recurrent_activations(const sy::Node& node, size_t directions,
                                                       std::vector<std::string_view> defaults);

}  // namespace mps
