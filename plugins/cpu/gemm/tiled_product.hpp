// Products by our own tiles: of all types, and of operands that are packed on the way.
#pragma once

#include <cstdint>

#include "gemm/gemm.hpp"

namespace cpu {

// c = alpha * a * b, or added to it, as gemm says. `b` is no strips.
template <typename T>
void multiply_tiled(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a,
                    const GemmOperand<T>& b, MatrixView<T> c, Epilogue<T> epilogue);

}  // namespace cpu
