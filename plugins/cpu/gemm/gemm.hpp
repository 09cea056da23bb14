// Products of matrices in memory, of any steps, on the team of threads: one region a product, whose
// pieces are blocks of the result.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gemm/tiles.hpp"

namespace cpu {

// Writes panels for elements [k0, k0 + k) of rows (left) or columns (right) [first, first + count);
// `first` is a multiple of Tiles::group or Tiles::columns.
template <typename T>
using PackPanels =
    std::function<void(int64_t k0, int64_t k, int64_t first, int64_t count, T* panels)>;

// An operand: a matrix in memory, or panels of the whole matrix made before, or what packs them. A
// right one may also be strips: `strip_columns` columns each, row by row, one strip after another,
// zeros where the last lacks columns; only where strip_columns_of gives their width.
template <typename T>
struct GemmOperand {
  MatrixView<const T> view = {};
  const T* panels = nullptr;
  PackPanels<T> pack = {};
  const T* strips = nullptr;
  int64_t strip_columns = 0;
};

// How wide strips of a right matrix of `n` floats a row are; 0 where panels are better.
int64_t strip_columns_of(int64_t n);

// c[m, n] = alpha * a[m, k] * b[k, n], added to c if `finish` says so. T is float, double, int32_t
// or uint64_t; integers wrap. The result does not depend on the number of threads.
template <typename T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
          MatrixView<T> c, Finish<T> finish = {});

}  // namespace cpu
