// Means and variances of lines, and tensors shifted and scaled by numbers of their lines: what the
// normalisations are made of. float16 and bfloat16 have theirs in float, double in double.
#pragma once

#include <cmath>
#include <vector>

#include "elementwise.hpp"
#include "kernel.hpp"
#include "kernels/numbers.hpp"

namespace cpu {

// Numbers of type W, one a line: a tensor whose line axes have extent 1.
template <typename W>
class LineNumbers {
 public:
  LineNumbers(sy::Extents shape, uint64_t line_axes, W fill = 0) : shape_(shape), values_() {
    for (uint32_t i = 0; i < shape_.rank; ++i) {
      if ((line_axes >> i & 1) != 0) shape_[i] = 1;
    }
    strides_ = sy::contiguous_strides(shape_);
    values_.assign(static_cast<size_t>(sy::element_count(shape_)), fill);
  }

  std::vector<W>& values() { return values_; }
  const std::vector<W>& values() const { return values_; }
  Tensor tensor() const {
    return {sy::dtype_of<W>, const_cast<W*>(values_.data()), shape_, strides_};
  }

 private:
  sy::Dimensions shape_;
  sy::Dimensions strides_;
  std::vector<W> values_;
};

// The sum of (x - centre)^2 over a line.
double squares_apart(const float* x, int64_t count, float centre);
double squares_apart(const double* x, int64_t count, double centre);

// The mean and the population's variance of each line, in two passes.
template <typename W>
struct Moments {
  LineNumbers<W> mean;
  LineNumbers<W> variance;
};
template <typename W>
Moments<W> moments_of(const Tensor& input, uint64_t line_axes);

// The loop of (x - centre) * factor + bias: x and the output are of `dtype`, the rest of its
// working type.
Loop affine_loop(sy_dtype dtype);

}  // namespace cpu
