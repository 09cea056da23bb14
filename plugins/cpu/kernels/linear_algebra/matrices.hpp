// Stacks of matrices as LAPACK has them, and the walk over a stack.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/linear_algebra/lapack.hpp"
#include "kernels/linear_algebra/one_thread.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/parallel.hpp"
#include "machine/scratch.hpp"
#include "run/kernel.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {

// Refuses what LAPACK cannot count, as far as extents are known.
void check_matrices(const sy::Node& node);

// Where a matrix stands in the stack that `shape` describes, in words: "the matrix", or "matrix
// [1, 0] of the stack".
std::string name_of_matrix(sy::Extents shape, int64_t index);

// For each matrix of the larger stack, the one that stands for it in the smaller, by ONNX's
// broadcasting.
std::vector<int64_t> broadcast_matrices(sy::Extents smaller, sy::Extents larger);

// Copies of all matrices, column-major and one behind the other, whatever strides they came with.
template <typename T>
class ColumnMajor {
 public:
  explicit ColumnMajor(sy::Extents shape)
      : rows(lapack_extent(shape[shape.size() - 2])),
        columns(lapack_extent(shape.back())),
        leading(std::max(1, rows)),
        count(sy::element_count(shape.first(shape.size() - 2))),
        room_(count * size()),
        strides_(sy::contiguous_strides(shape)),
        tensor_{sy::dtype_of<T>, room_.data(), shape, strides_} {
    strides_[shape.size() - 2] = 1;
    strides_[shape.size() - 1] = leading;
  }
  explicit ColumnMajor(const ConstTensor& from) : ColumnMajor(from, from.shape) {}
  // `from`, broadcast.
  ColumnMajor(const ConstTensor& from, sy::Extents shape) : ColumnMajor(shape) {
    copy_tensor(from, tensor_);
  }
  ColumnMajor(const ColumnMajor&) = delete;
  ColumnMajor& operator=(const ColumnMajor&) = delete;

  T* matrix(int64_t index) const { return room_.data() + index * size(); }
  int64_t size() const { return int64_t{rows} * columns; }
  sy::Extents shape() const { return tensor_.shape; }
  void write(const Tensor& to) const { copy_tensor(tensor_, to); }

  const int rows, columns;
  const int leading;  // from one column to the next, at least 1
  const int64_t count;

 private:
  Scratch<T> room_;
  sy::Dimensions strides_;
  Tensor tensor_;
};

template <typename T>
bool is_finite(const T* numbers, int64_t count) {
  T sum = 0;  // of zeros, or a NaN
  for (int64_t i = 0; i < count; ++i) sum += numbers[i] * 0;
  return sum == 0;
}

template <typename T>
void fill_with_nan(T* numbers, int64_t count) {
  std::fill_n(numbers, count, std::numeric_limits<T>::quiet_NaN());
}

// Calls `body(index)` for each of `count` matrices, on the team where that is worth it: `steps` is
// about how many multiplications one takes.
template <typename Body>
void for_each_matrix(int64_t count, double steps, const Body& body) {
  constexpr double in_20_microseconds = 20000;
  const auto grain = static_cast<int64_t>(std::max(1.0, in_20_microseconds / std::max(1.0, steps)));
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    const OneThread alone;
    for (int64_t i = begin; i < end; ++i) body(i);
  });
}

// What LAPACK said of each matrix. Of those that failed the first is told, whichever thread was
// first.
class Findings {
 public:
  explicit Findings(int64_t count) : found_(static_cast<size_t>(count), 0) {}
  int& operator[](int64_t index) { return found_[static_cast<size_t>(index)]; }

  // "Solve: matrix [3] of the stack is singular".
  void refuse(const char* op, sy::Extents shape, const char* why) const {
    for (size_t i = 0; i < found_.size(); ++i) {
      if (found_[i] == 0) continue;
      throw sy::invalid(op, ": ", name_of_matrix(shape, static_cast<int64_t>(i)), " ", why);
    }
  }

 private:
  std::vector<int> found_;
};

// The kernel that runs one function of a Call for either type.
template <void (*of_float)(Call&), void (*of_double)(Call&)>
Prepared matrix_kernel(const sy::Node&) {
  Prepared made;
  made.kernel = function_kernel(
      [](Call& call) { (call.input(0).dtype == SY_FLOAT64 ? of_double : of_float)(call); });
  return made;
}

inline constexpr uint64_t matrix_types = SY_DTYPE_BIT(SY_FLOAT32) | SY_DTYPE_BIT(SY_FLOAT64);

inline double cubed(double extent) { return extent * extent * extent; }

}  // namespace cpu
