// Visiting every line of a tensor as contiguous numbers of one working type, whatever its dtype and
// strides: gathered and converted before, scattered and converted after.
#pragma once

#include <functional>

#include "kernels/lines.hpp"

namespace cpu {

// `x`: the line of the walk's operand 0; `y`: room for the line of operand 1, null if there is none.
// The two may be the same. `offsets`: the line's start in every operand; `index`: its number.
template <typename W>
using LineBody = std::function<void(const W* x, W* y, const LineOffsets& offsets, int64_t index)>;

struct LineTensors {
  const Tensor* input;             // the walk's operand 0, whole
  const Tensor* output = nullptr;  // its operand 1, whole, if lines are written
};

// For W = float, double, int64_t and uint64_t. On several threads, `grain` elements worth one.
template <typename W>
void for_each_line(const LineWalk& walk, const LineTensors& tensors, int64_t grain,
                   const LineBody<W>& body);

// The working type of a dtype: float for the small floats, double, uint64, int64 for all else.
sy_dtype working_dtype(sy_dtype dtype);

}  // namespace cpu
