#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// NumPy's matmul of two shapes: vectors, matrices, and stacks of matrices that broadcast.
Dims matmul(const Inference& inference, const Dims& a, const Dims& b);

/// MatMul and MatMulInteger: inputs 0 and 1.
void matmul_shape(Inference& inference);

/// QLinearMatMul: inputs 0 and 3.
void qlinear_matmul_shape(Inference& inference);

void gemm_shape(Inference& inference);

/// Det: the last two dimensions, which are equal, go.
void det_shape(Inference& inference);

}  // namespace switchyard
