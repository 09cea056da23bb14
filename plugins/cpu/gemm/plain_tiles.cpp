// Tiles of 64-bit integers, whose products most processors have no vectors for.
#include <algorithm>

#include "gemm/tiles.hpp"

namespace cpu {
namespace {

using T = uint64_t;
constexpr int64_t group = Tiles<T>::group;
constexpr int64_t width = 4;

void pack_left(MatrixView<const T> a, int64_t m, int64_t k, T* panels) {
  for (int64_t row = 0; row < m; row += group) {
    for (int64_t at = 0; at < k; ++at) {
      for (int64_t i = 0; i < group; ++i) *panels++ = row + i < m ? *a.at(row + i, at) : 0;
    }
  }
}

void pack_right(MatrixView<const T> b, int64_t k, int64_t n, T* panels) {
  for (int64_t column = 0; column < n; column += width) {
    for (int64_t at = 0; at < k; ++at) {
      for (int64_t j = 0; j < width; ++j) *panels++ = column + j < n ? *b.at(at, column + j) : 0;
    }
  }
}

void write(T& to, T sum, Epilogue<T> epilogue) {
  to = epilogue.alpha * sum + (epilogue.accumulate ? to : 0);
}

void multiply(int64_t m, int64_t n, int64_t k, const T* left, int64_t, const T* b, int64_t b_step,
              T* c, int64_t c_step, Epilogue<T> epilogue) {
  T sums[group][width] = {};
  for (int64_t at = 0; at < k; ++at) {
    for (int64_t i = 0; i < group; ++i) {
      for (int64_t j = 0; j < width; ++j) sums[i][j] += left[at * group + i] * b[at * b_step + j];
    }
  }
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) write(c[i * c_step + j], sums[i][j], epilogue);
  }
}

template <bool by_rows>
void multiply_row(int64_t n, int64_t k, const T* a, const T* b, int64_t b_step, T* c,
                  Epilogue<T> epilogue) {
  for (int64_t j = 0; j < n; ++j) {
    T sum = 0;
    for (int64_t at = 0; at < k; ++at) {
      sum += a[at] * (by_rows ? b[at * b_step + j] : b[j * b_step + at]);
    }
    write(c[j], sum, epilogue);
  }
}

}  // namespace

template <>
const Tiles<uint64_t>& tiles<uint64_t>() {
  static constexpr Tiles<uint64_t> plain = {
      group, width, pack_left, pack_right, multiply, multiply_row<true>, multiply_row<false>};
  return plain;
}

}  // namespace cpu
