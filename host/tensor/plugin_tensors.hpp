#pragma once

#include <switchyard/plugin.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>

#include "memory/storage.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {

/// The tensors of one run as the plugin sees them: on the stack for what ops usually have.
class PluginTensors {
 public:
  explicit PluginTensors(std::size_t size) : data_(inline_) {
    if (size <= std::size(inline_)) return;
    heap_ = std::make_unique<sy_tensor[]>(size);
    data_ = heap_.get();
  }
  sy_tensor* data() { return data_; }
  sy_tensor& operator[](std::size_t i) { return data_[i]; }

 private:
  sy_tensor* data_;
  std::unique_ptr<sy_tensor[]> heap_;
  sy_tensor inline_[8];
};

/// A tensor on the device of the run. What the slot points to lives as long as the tensor.
inline void bind(sy_tensor& slot, const TensorImpl& tensor) {
  slot.struct_size = sizeof(sy_tensor);
  slot.dtype = static_cast<sy_dtype>(tensor.dtype);
  slot.storage = tensor.storage ? tensor.storage->handle() : 0;
  slot.offset_bytes = static_cast<std::uint64_t>(tensor.offset_bytes);
  slot.shape = tensor.shape.data();
  slot.strides = tensor.contiguous ? nullptr : tensor.strides.data();
  slot.rank = static_cast<std::uint32_t>(tensor.shape.size());
  slot.reserved = 0;
}

/// A contiguous value in memory of the host; the pointer may be null where no element is read.
inline void bind_pointer(sy_tensor& slot, DType dtype, const Dims& shape, const void* pointer) {
  slot.struct_size = sizeof(sy_tensor);
  slot.dtype = static_cast<sy_dtype>(dtype);
  slot.storage = reinterpret_cast<std::uint64_t>(pointer);
  slot.offset_bytes = 0;
  slot.shape = shape.data();
  slot.strides = nullptr;
  slot.rank = static_cast<std::uint32_t>(shape.size());
  slot.reserved = 0;
  std::memset(slot.immediate, 0, sizeof(slot.immediate));
}

/// A scalar of the host, whose bytes go into the slot.
inline void bind_immediate(sy_tensor& slot, const TensorImpl& scalar) {
  bind_pointer(slot, scalar.dtype, scalar.shape, nullptr);
  std::memcpy(slot.immediate, scalar.host->literal.bytes() + scalar.offset_bytes,
              scalar.size_bytes());
}

}  // namespace switchyard
