// Reducing a tensor along some of its axes.
#pragma once

#include "run/kernel.hpp"
#include "simd/reduce_functions.hpp"

namespace cpu {

// What is done to a joined value of `count` numbers.
enum class ReduceFinish { nothing, mean, root, logarithm };

// Bit i of `axes`: axis i is joined. The output, of the input's dtype, lacks these axes or has them
// with extent 1.
void reduce(ReduceKind kind, ReduceFinish finish, const ConstTensor& input, const Tensor& output,
            uint64_t axes);

}  // namespace cpu
