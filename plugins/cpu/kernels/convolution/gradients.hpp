// The plain kernels of a convolution's gradients, for those who know better ones for some nodes
// only.
#pragma once

#include "run/kernel.hpp"

namespace cpu {

Prepared plain_conv_input_gradient(const sy::Node& node);
Prepared plain_conv_weight_gradient(const sy::Node& node);

}  // namespace cpu
