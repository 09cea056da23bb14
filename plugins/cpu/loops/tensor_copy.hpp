// Whole tensors into other layouts and dtypes.
#pragma once

#include <vector>

#include "run/tensor.hpp"

namespace cpu {

// Writes `from`, broadcast to the shape of `to`, in the dtype and strides of `to`. They do not
// overlap, or are the same elements of one dtype.
void copy_tensor(const ConstTensor& from, const Tensor& to);

// The elements of a tensor of any strides and float dtype, row-major.
std::vector<float> floats_of(const ConstTensor& tensor);

// A contiguous tensor at `data`. `shape` must outlive it.
class ContiguousTensor {
 public:
  ContiguousTensor(sy_dtype dtype, void* data, sy::Extents shape)
      : strides_(sy::contiguous_strides(shape)), tensor_{dtype, data, shape, strides_} {}
  ContiguousTensor(const ContiguousTensor&) = delete;
  ContiguousTensor& operator=(const ContiguousTensor&) = delete;

  const Tensor& get() const { return tensor_; }

 private:
  sy::Dimensions strides_;
  Tensor tensor_;
};

}  // namespace cpu
