#include "gemm/gemm.hpp"

#include <algorithm>
#include <type_traits>

#include "gemm/dense_product.hpp"
#include "gemm/long_sums.hpp"
#include "gemm/tiled_product.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {
namespace {

using sy::ceil_div;

template <typename T>
void fill_zero(int64_t m, int64_t n, MatrixView<T> c) {
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) *c.at(i, j) = 0;
  }
}

template <typename T>
MatrixView<T> turned(MatrixView<T> view) {
  return {view.data, view.column_step, view.row_step};
}

// A row by a matrix in memory. False if a step does not fit.
template <typename T>
bool multiply_row(int64_t n, int64_t k, MatrixView<const T> a, MatrixView<const T> b,
                  MatrixView<T> c, Epilogue<T> epilogue) {
  const bool by_rows = b.column_step == 1 && !(n == 1 && b.row_step == 1);
  if ((!by_rows && b.row_step != 1) || (c.column_step != 1 && n != 1)) return false;
  Scratch<T> copy(a.column_step == 1 ? 0 : k);
  const T* row = a.data;
  if (a.column_step != 1) {
    for (int64_t i = 0; i < k; ++i) copy[i] = a.data[i * a.column_step];
    row = copy.data();
  }
  const Tiles<T>& kernels = tiles<T>();
  const int64_t depth = !loses_digits<T> ? k : by_rows ? chained_sums : spread_sums;
  constexpr int64_t unit = 64;
  constexpr int64_t most = 4096;  // columns whose sums stay in the first cache
  const int64_t pieces = ceil_div(n, unit);
  const int64_t grain = std::max<int64_t>(1, (int64_t{1} << 18) / (unit * k));
  parallel_for(pieces, grain, [&](int64_t begin, int64_t end) {
    const int64_t last = std::min(n, end * unit);
    for (int64_t first = begin * unit; first < last; first += most) {
      const int64_t count = std::min(most, last - first);
      T* to = c.data + first;
      const LongSums<T> sums({to, count, 1}, 1, count, k > depth);
      for (int64_t at = 0; at < k; at += depth) {
        if (at != 0) sums.join();
        const Epilogue<T> here{epilogue.alpha, epilogue.accumulate || at != 0};
        const int64_t terms = std::min(depth, k - at);
        if (by_rows) {
          kernels.row_by_rows(count, terms, row + at, b.at(at, first), b.row_step, to, here);
        } else {
          kernels.row_by_columns(count, terms, row + at, b.at(at, first), b.column_step, to, here);
        }
      }
      sums.finish();
    }
  });
  return true;
}

template <typename T>
void multiply_matrices(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a,
                       const GemmOperand<T>& b, MatrixView<T> c, Epilogue<T> epilogue) {
  if constexpr (std::is_same_v<T, float>) {
    if (multiply_dense(m, n, k, a, b, c, epilogue)) return;
  }
  multiply_tiled(m, n, k, a, b, c, epilogue);
}

}  // namespace

template <typename T>
void gemm(int64_t m, int64_t n, int64_t k, const GemmOperand<T>& a, const GemmOperand<T>& b,
          MatrixView<T> c, Epilogue<T> epilogue) {
  if (m == 0 || n == 0) return;
  if (k == 0) {
    if (!epilogue.accumulate) fill_zero(m, n, c);
    return;
  }
  if (a.is_view() && b.is_view()) {
    if (m == 1 && multiply_row(n, k, a.view, b.view, c, epilogue)) return;
    if (n == 1 && multiply_row(m, k, turned(b.view), turned(a.view), turned(c), epilogue)) return;
    if (c.column_step != 1 && c.row_step == 1) {
      const GemmOperand<T> left{turned(b.view)};
      const GemmOperand<T> right{turned(a.view)};
      return multiply_matrices<T>(n, m, k, left, right, turned(c), epilogue);
    }
  }
  multiply_matrices<T>(m, n, k, a, b, c, epilogue);
}

template void gemm(int64_t, int64_t, int64_t, const GemmOperand<float>&, const GemmOperand<float>&,
                   MatrixView<float>, Epilogue<float>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<double>&,
                   const GemmOperand<double>&, MatrixView<double>, Epilogue<double>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<int32_t>&,
                   const GemmOperand<int32_t>&, MatrixView<int32_t>, Epilogue<int32_t>);
template void gemm(int64_t, int64_t, int64_t, const GemmOperand<uint64_t>&,
                   const GemmOperand<uint64_t>&, MatrixView<uint64_t>, Epilogue<uint64_t>);

}  // namespace cpu
