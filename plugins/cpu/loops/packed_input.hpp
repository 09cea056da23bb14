// Tensors of the type and the layout that a kernel computes in: contiguous or channels-last.
#pragma once

#include "loops/layout.hpp"
#include "loops/tensor_copy.hpp"
#include "machine/scratch.hpp"
#include "switchyard/plugin/dtype.hpp"

namespace cpu {

inline sy::Dimensions layout_strides(sy::Extents shape, bool last) {
  return last ? channels_last_strides(shape) : sy::contiguous_strides(shape);
}

// True if the elements of [N, C, ...] lie channels-last and in no other way.
inline bool is_only_channels_last(const ConstTensor& tensor) {
  return tensor.rank() > 2 && is_channels_last(tensor.shape, tensor.strides.data()) &&
         !sy::is_contiguous(tensor.shape, tensor.strides.data());
}

inline bool has_layout(const ConstTensor& tensor, bool last) {
  return last ? is_channels_last(tensor.shape, tensor.strides.data())
              : sy::is_contiguous(tensor.shape, tensor.strides.data());
}

// An input's elements where they are, or else a copy that lives as long as this.
template <typename T>
class PackedInput {
 public:
  PackedInput(const ConstTensor& tensor, bool last)
      : is_there_(tensor.dtype == sy::dtype_of<T> && has_layout(tensor, last)),
        buffer_(is_there_ ? 0 : tensor.size()),
        data_(is_there_ ? tensor.as<T>() : buffer_.data()) {
    if (is_there_) return;
    copy_tensor(tensor, {sy::dtype_of<T>, buffer_.data(), tensor.shape,
                         layout_strides(tensor.shape, last)});
  }
  const T* data() const { return data_; }

 private:
  bool is_there_;
  Scratch<T> buffer_;
  const T* data_;
};

// Room for an output's elements: its own, or others that `write_back` copies into it. The tensor
// must outlive it.
template <typename T>
class LaidOutput {
 public:
  LaidOutput(const Tensor& tensor, bool last)
      : tensor_(tensor),
        last_(last),
        is_there_(tensor.dtype == sy::dtype_of<T> && has_layout(tensor, last)),
        buffer_(is_there_ ? 0 : tensor.size()) {}
  T* data() const { return is_there_ ? tensor_.as<T>() : buffer_.data(); }
  void write_back() const {
    if (is_there_) return;
    const sy::Dimensions strides = layout_strides(tensor_.shape, last_);
    copy_tensor({sy::dtype_of<T>, buffer_.data(), tensor_.shape, strides}, tensor_);
  }

 private:
  const Tensor& tensor_;
  bool last_, is_there_;
  Scratch<T> buffer_;
};

}  // namespace cpu
