// Products of matrices in memory, of any steps, on the team of threads: one region a product, whose
// pieces are blocks of the result. What holds for all files of this folder:
//
// - A block of the result has one thread, from its first term to its last, and no element is in two
//   blocks: so blocks run at once, in any order, and need no lock. Nobody else touches the result
//   meanwhile, and no operand overlaps it. Operands, and what was made of them before the region,
//   are only read, by all threads; panels made on the way, and sums that were put aside, belong to
//   the thread that works on the block and end with it. So `pack` of an operand runs on several
//   threads at once.
// - An element's bits follow from the shape and from the form of the operands (rows in memory,
//   panels, strips), never from the number of threads or from who comes first. Its terms are added
//   by ascending k, in runs whose ends follow from k alone: the first run writes the element, if
//   its Epilogue does not add to what is there, and each later one adds. Sums of floats begin anew
//   after `spread_sums` terms, and are joined in double in the same order (LongSums).
// - A product inside of a region computes on its own thread, with the same bits. oneDNN is called
//   for one run of terms of one block, as for one thread, while signals are held.
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

  bool is_view() const { return panels == nullptr && !pack && strips == nullptr; }
};

// c[m, n] = alpha * a[m, k] * b[k, n], added to c if `epilogue` says so. T is float, double,
// int32_t or uint64_t; integers wrap. The result does not depend on the number of threads.
template <typename T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
          MatrixView<T> c, Epilogue<T> epilogue = {});

}  // namespace cpu
