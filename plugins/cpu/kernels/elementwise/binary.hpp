// Making kernels of two inputs that broadcast to the output's shape.
#pragma once

#include "kernels/elementwise/unary.hpp"
#include "loops/elementwise.hpp"
#include "run/kernel.hpp"

namespace cpu {

// A kernel that runs `loop` over inputs 0 and 1, in the other order if `swapped`. `may_alias` if
// all elements are of one size.
Prepared binary_kernel(const sy::Node& node, Loop loop, bool may_alias, bool swapped = false);

}  // namespace cpu
