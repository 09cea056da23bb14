// Tensors as contiguous elements of the type that a kernel computes in.
#pragma once

#include "loops/tensor_copy.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {

template <typename T>
bool is_contiguous_of(const ConstTensor& tensor) {
  return tensor.dtype == sy::dtype_of<T> && sy::is_contiguous(tensor.shape, tensor.strides.data());
}

// An input's elements where they are, or else a copy that lives as long as this.
template <typename T>
class ContiguousInput {
 public:
  explicit ContiguousInput(const ConstTensor& tensor)
      : room_(is_contiguous_of<T>(tensor) ? 0 : tensor.size()), data_(tensor.as<T>()) {
    if (is_contiguous_of<T>(tensor)) return;
    data_ = room_.data();
    copy_tensor(tensor, ContiguousTensor(sy::dtype_of<T>, room_.data(), tensor.shape).get());
  }
  const T* data() const { return data_; }

 private:
  Scratch<T> room_;
  const T* data_;
};

// Room for an output's elements: its own, or others that `write_back` copies into it.
template <typename T>
class ContiguousOutput {
 public:
  explicit ContiguousOutput(const Tensor& tensor)
      : tensor_(tensor), room_(is_contiguous_of<T>(tensor) ? 0 : tensor.size()) {}
  T* data() const { return is_contiguous_of<T>(tensor_) ? tensor_.as<T>() : room_.data(); }
  void write_back() const {
    if (is_contiguous_of<T>(tensor_)) return;
    copy_tensor(ContiguousTensor(sy::dtype_of<T>, room_.data(), tensor_.shape).get(), tensor_);
  }

 private:
  const Tensor& tensor_;
  Scratch<T> room_;
};

}  // namespace cpu
