// Means and variances of lines, and tensors shifted and scaled by numbers of their lines: what the
// normalizations are made of. float16 and bfloat16 have theirs in float, double in double.
#pragma once

#include <cmath>
#include <vector>

#include "loops/elementwise.hpp"
#include "loops/numbers.hpp"
#include "run/kernel.hpp"

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
  Tensor tensor() { return {sy::dtype_of<W>, values_.data(), shape_, strides_}; }
  ConstTensor tensor() const { return {sy::dtype_of<W>, values_.data(), shape_, strides_}; }

 private:
  sy::Dimensions shape_;
  sy::Dimensions strides_;
  std::vector<W> values_;
};

// The mean of a line and its population's variance. A mean far from 0 is more than a number of type
// W holds: it is parted into `centre`, which is one, and what that lacks.
template <typename W>
struct LineMoments {
  W centre;
  double rest, variance;

  double mean() const { return static_cast<double>(centre) + rest; }
  // What (x - centre) * factor lacks. Where nothing does it is -0, which leaves every sum as it is.
  template <typename F>
  W shift(F factor) const {
    return static_cast<W>(-(rest * static_cast<double>(factor)));
  }
};
template <typename W>
LineMoments<W> line_moments(const W* x, int64_t count);

// From the means of the distances from about the mean and of their squares. A NaN stays, and so do
// squares that are too large for their type: then the rest's may be, too.
double variance_of(double squared, double rest);

// The same of every line, the rest and the variance as numbers of type W.
template <typename W>
struct Moments {
  LineNumbers<W> centre, rest, variance;
};
template <typename W>
Moments<W> moments_of(const ConstTensor& input, uint64_t line_axes);

// The loop of (x - centre) * factor + bias: x and the output are of `dtype`, the rest of its
// working type.
Loop affine_loop(sy_dtype dtype);

}  // namespace cpu
