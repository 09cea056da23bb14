// The activation functions of recurrent layers, by ONNX's names, which ignore case.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "simd/inner_loop.hpp"
#include "simd/unary_parameters.hpp"
#include "switchyard/plugin/program.hpp"

namespace cpu {

struct RecurrentActivation {
  InnerLoop row;
  UnaryParameters numbers;

  // On each of `count` numbers, in place.
  void apply(float* values, int64_t count) const;
};

// `count` functions for each direction: the node's, or `defaults` for each where it names none.
// Throws sy::unsupported for a name that ONNX does not have.
std::vector<RecurrentActivation> recurrent_activations(const sy::Node& node, size_t directions,
                                                       std::vector<std::string_view> defaults);

}  // namespace cpu
