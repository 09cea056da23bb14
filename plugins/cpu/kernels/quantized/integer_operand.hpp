// Bytes that stand for real numbers: (byte - zero point) * scale.
#pragma once

#include <cstdint>
#include <vector>

#include "machine/scratch.hpp"
#include "run/kernel.hpp"

namespace cpu {

// int32 elements, contiguous: those of a byte tensor minus their zero point. Lives as long as a
// call.
class IntegerOperand {
 public:
  // `zero_point` broadcasts to `bytes`, or is null for 0.
  IntegerOperand(const ConstTensor& bytes, const ConstTensor* zero_point);

  ConstTensor tensor() const { return tensor_; }
  const int32_t* data() const { return numbers_.data(); }

 private:
  Scratch<int32_t> numbers_;
  sy::Dimensions strides_;
  Tensor tensor_;
};

// The same tensor with axes of extent 1 after its own, so that one number for each row or channel
// broadcasts.
class Extended {
 public:
  Extended(const ConstTensor& tensor, size_t rank)
      : shape_(tensor.shape), strides_(tensor.strides) {
    while (shape_.rank < rank) {
      shape_[shape_.rank++] = 1;
      strides_[strides_.rank++] = 0;
    }
    tensor_ = {tensor.dtype, tensor.data, shape_, strides_};
  }
  Extended(const Extended&) = delete;
  Extended& operator=(const Extended&) = delete;

  const ConstTensor& get() const { return tensor_; }

 private:
  sy::Dimensions shape_, strides_;
  ConstTensor tensor_;
};

// y = saturate(round(sum * factor) + zero point), ties to even; 0 where that is NaN. Sums are
// contiguous, of y's shape, and read as rows of `width` elements: element j of row i has the factor
// row_factors[i % rows] * column_factors[j % columns].
struct Requantization {
  std::vector<float> row_factors, column_factors;
  int32_t zero_point = 0;
};
void requantize(const int32_t* sums, int64_t width, const Requantization& how, const Tensor& y);

}  // namespace cpu
