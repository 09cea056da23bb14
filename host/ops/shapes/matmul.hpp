#pragma once

#include "ops/inference.hpp"

namespace switchyard {

/// NumPy's matmul of two shapes: vectors, matrices, and stacks of matrices that broadcast.
Dims matmul(const Inference& inference, const Dims& a, const Dims& b);

/// Inputs 0 and 1.
void matmul_shape(Inference& inference);

/// Inputs 0 and 1, and their zero points.
void matmul_integer_shape(Inference& inference);

/// Inputs 0 and 3, and all scales and zero points.
void qlinear_matmul_shape(Inference& inference);

void gemm_shape(Inference& inference);

/// Det: the last two dimensions, which are equal, go.
void det_shape(Inference& inference);

}  // namespace switchyard
