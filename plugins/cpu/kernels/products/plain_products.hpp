// The plain kernels of MatMul and Gemm, for those who know better ones for some nodes only.
#pragma once

#include "run/kernel.hpp"

namespace cpu {

Prepared plain_matmul(const sy::Node& node);
Prepared plain_gemm(const sy::Node& node);

}  // namespace cpu
