// ONNX's MatMul of tensors in memory.
#pragma once

#include "run/kernel.hpp"

namespace cpu {

// y = a * b for stacks of matrices that broadcast, of one numeric dtype and any strides. `panels`,
// of pack_constant, stand for b if they are not null; each of its matrices takes `panel_bytes`.
void multiply_tensors(const ConstTensor& a, const ConstTensor& b, const Tensor& y,
                      const void* panels = nullptr, int64_t panel_bytes = 0);

}  // namespace cpu
