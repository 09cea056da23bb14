// Products of floats by oneDNN, whose tiles are faster than ours on matrices without gaps.
#pragma once

#include <cstdint>

#include "gemm/gemm.hpp"

namespace cpu {

// c = alpha * a * b, or added to it, as gemm says. False, and nothing done, for operands that are
// packed on the way or in panels, for small products, and where there is no oneDNN.
bool multiply_dense(int64_t m, int64_t n, int64_t k, const GemmOperand<float>& a,
                    const GemmOperand<float>& b, MatrixView<float> c, Epilogue<float> epilogue);

// How wide strips of a right matrix of `n` floats a row are; 0 where panels are better.
int64_t strip_columns_of(int64_t n);

}  // namespace cpu
