// Making kernels of one input and one output of its shape.
#pragma once

#include "loops/elementwise.hpp"
#include "run/kernel.hpp"

namespace cpu {

// A kernel that runs `loop` from input 0 to output 0; `may_alias` if their elements are of one
// size.
Prepared unary_kernel(const sy::Node& node, Loop loop, bool may_alias);

inline constexpr uint32_t any_strides = SY_CLAIM_STRIDED_INPUTS | SY_CLAIM_STRIDED_OUTPUTS;

}  // namespace cpu
