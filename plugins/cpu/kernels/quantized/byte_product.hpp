// Products of rows of bytes and a packed matrix, with zero points, on the team of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/quantized/byte_matrix.hpp"
#include "kernels/quantized/byte_rows.hpp"

namespace cpu {

// The left side: rows of uint8_t in memory, `step` apart, or what writes `count` of them from row
// `first` on, `step` apart.
struct ByteRows {
  int64_t count = 0;
  int64_t step = 0;
  const uint8_t* data = nullptr;
  std::function<void(int64_t first, int64_t count, uint8_t* to)> write = {};
};

// One number for all, or one each.
template <typename T>
struct Each {
  const T* data = nullptr;
  int64_t step = 0;
  T operator[](int64_t i) const { return data[i * step]; }
};

// Where sums go: rows of int32_t, or of bytes where `column_factors` is not null.
struct ByteResult {
  char* data;
  int64_t row_step;                      // in elements
  Each<int32_t> left_zeros;              // of rows
  const int32_t* right_zeros = nullptr;  // of columns; null if all are 0
  const int32_t* bias = nullptr;         // of columns, or null
  Each<float> row_factors = {};
  const float* column_factors = nullptr;  // of columns
  int32_t zero_point = 0;
  bool is_signed = false;
};

// What each column adds to its sums, and multiplies them by, for rows of one zero point and one
// factor.
class ColumnTerms {
 public:
  ColumnTerms(const ByteResult& result, int64_t row, const int32_t* column_sums, int64_t columns);

  // Writes sums of `rows` rows from `row` on, columns [column, column + columns), to their
  // positions.
  void write(const int32_t* sums, int64_t row, int64_t rows, int64_t column, int64_t columns) const;

 private:
  const ByteResult& result_;
  std::vector<int32_t> terms_;
  std::vector<float> factors_;
  bool factors_are_finite_;
};

// result = (left - left_zeros) * (right - right_zeros) + bias, modulo 2^32, then scaled. Exact, and
// so the same for any number of threads.
void multiply_bytes(const ByteRows& left, const ByteMatrix& right, const ByteResult& result);

}  // namespace cpu
