// The inner loops of matrix products: packing operands into panels, and multiplying two panels.
#pragma once

#include <cstdint>

#include "switchyard/plugin/division.hpp"

namespace cpu {

// A matrix in memory; steps count elements and may be anything.
template <typename T>
struct MatrixView {
  T* data;
  int64_t row_step;
  int64_t column_step;

  T* at(int64_t row, int64_t column) const { return data + row * row_step + column * column_step; }
};

// What is done with a product: c = alpha * product, or c += alpha * product.
template <typename T>
struct Epilogue {
  T alpha = 1;
  bool accumulate = false;
};

// Left panels hold groups of `group` rows, element k of each row beside those of the others; right
// panels hold `columns` columns likewise. What a matrix lacks to fill its last panel is zeros.
template <typename T>
struct Tiles {
  static constexpr int64_t group = 4;
  static constexpr int64_t most_columns = 32;
  static constexpr int64_t most_elements = 12 * most_columns;  // of one tile
  int64_t rows;  // of the largest tile, a multiple of `group`
  int64_t columns;

  // Elements of the panels of `rows` rows or `columns` columns, and the panels themselves.
  int64_t left_size(int64_t m, int64_t k) const { return sy::ceil_div(m, group) * group * k; }
  int64_t right_size(int64_t k, int64_t n) const { return sy::ceil_div(n, columns) * columns * k; }
  void (*pack_left)(MatrixView<const T> a, int64_t m, int64_t k, T* panels);
  void (*pack_right)(MatrixView<const T> b, int64_t k, int64_t n, T* panels);

  // One tile: `m` <= rows, `n` <= columns. The left panel's groups are group_step apart. Rows of b
  // are b_step apart: `columns` in a panel, or what a matrix in memory has if n is `columns`.
  // Columns of c are neighbours.
  void (*multiply)(int64_t m, int64_t n, int64_t k, const T* left, int64_t group_step, const T* b,
                   int64_t b_step, T* c, int64_t c_step, Epilogue<T> epilogue);

  // A row by a matrix: c[n] = a[k] * b[k, n]. b's rows (by_rows) or columns (by_columns) are
  // without gaps; a and c too.
  void (*row_by_rows)(int64_t n, int64_t k, const T* a, const T* b, int64_t b_step, T* c,
                      Epilogue<T> epilogue);
  void (*row_by_columns)(int64_t n, int64_t k, const T* a, const T* b, int64_t b_step, T* c,
                         Epilogue<T> epilogue);
};

// int32_t wraps.
template <typename T>
const Tiles<T>& tiles();
template <>
const Tiles<float>& tiles<float>();
template <>
const Tiles<double>& tiles<double>();
template <>
const Tiles<int32_t>& tiles<int32_t>();
template <>
const Tiles<uint64_t>& tiles<uint64_t>();

// Each element of an operand is a pair of int16_t, that with the lower index in the low half, and
// stands for two neighbours along k: sums are of int32_t and wrap. It has no kernel for one row.
const Tiles<int32_t>& pair_tiles();

}  // namespace cpu
