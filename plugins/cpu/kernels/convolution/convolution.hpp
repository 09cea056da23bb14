// The plain kernel of Conv, for those who know a better one for some nodes only.
#pragma once

#include "run/kernel.hpp"

namespace cpu {

Prepared plain_convolution(const sy::Node& node);

}  // namespace cpu
