// oneDNN's product of float matrices in memory, for one thread: the blocks of kernels/gemm.
#pragma once

#include <cstdint>

namespace cpu::onednn {

// True where oneDNN has vector code for it that is faster than ours.
bool multiplies_floats();

// A matrix in memory: rows, or columns where `turned`, `step` apart, whose elements are neighbours.
template <typename T>
struct DenseMatrix {
  T* data;
  int64_t step;
  bool turned = false;
};

// c[m, n] = alpha * a[m, k] * b[k, n], added to c with `accumulate`.
void multiply_floats(int64_t m, int64_t n, int64_t k, float alpha, DenseMatrix<const float> a,
                     DenseMatrix<const float> b, DenseMatrix<float> c, bool accumulate);

}  // namespace cpu::onednn
