// Products of matrices of any numeric dtype.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gemm/gemm.hpp"
#include "run/kernel.hpp"

namespace cpu {

struct ConstMatrix {
  sy_dtype dtype = 0;
  const void* data = nullptr;
  int64_t row_step = 0;  // in elements
  int64_t column_step = 0;
};

struct Matrix {
  sy_dtype dtype = 0;
  void* data = nullptr;
  int64_t row_step = 0;
  int64_t column_step = 0;

  operator ConstMatrix() const { return {dtype, data, row_step, column_step}; }
};

struct MatrixProduct {
  int64_t m = 0, n = 0, k = 0;
  ConstMatrix a, b;              // of one dtype
  Matrix c;                      // of theirs
  const void* panels = nullptr;  // b's, from pack_constant, or null
  int64_t packed_columns = 0;    // of the matrix that was packed, where b is a part of it; else 0
  double alpha = 1;              // without a fraction where c is of integers
  bool accumulate = false;       // c = alpha * a * b + beta * c, else c = alpha * a * b
  double beta = 1;
};

// float16 and bfloat16 are multiplied and summed in float, narrow integers in int32; c is rounded
// once. Runs on the team of threads.
void multiply(const MatrixProduct& product);

// A constant of one or more k x n matrices as panels for MatrixProduct::panels, one after another.
struct PackedMatrix {
  std::shared_ptr<const void> data;  // null if it is not a constant, or packing does not pay
  int64_t size_bytes = 0;
  int64_t matrix_bytes = 0;  // of one of them
};
PackedMatrix pack_constant(const sy_value& constant, int64_t k, int64_t n, int64_t row_step,
                           int64_t column_step);

// Columns of a packed matrix of `n` floats a row, from a multiple of these on, lie `k` times as far
// into it as they are columns: panels of a part may begin there.
int64_t packed_unit(int64_t n);

// The type that products of `dtype` are summed in.
sy_dtype sum_dtype(sy_dtype dtype);

// An operand of gemm made from a matrix of another dtype than T.
template <typename T>
GemmOperand<T> left_operand(const ConstMatrix& matrix);
template <typename T>
GemmOperand<T> right_operand(const ConstMatrix& matrix);

}  // namespace cpu
