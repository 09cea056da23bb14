// Tensors out of nothing, of a copy of a caller's bytes or of its memory, and of other libraries'
// tensors.
#include <algorithm>
#include <span>
#include <switchyard/borrow.hpp>
#include <switchyard/functions/creation.hpp>
#include <utility>

#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using switchyard::Tensor;
using switchyard::TensorOptions;
using namespace switchyard::c_api;

namespace switchyard::c_api {
namespace {

TensorOptions options_of(swy_device* device, swy_dtype dtype) {
  return {.device = required(device, "device").value, .dtype = dtype_of(dtype)};
}

swy_status* new_tensor(Tensor (*make)(const Dims&, const TensorOptions&), swy_device* device,
                       swy_dtype dtype, uint32_t rank, const int64_t* shape,
                       swy_tensor** out_tensor) {
  return guarded([&] {
    swy_tensor*& out = required(out_tensor, "out_tensor");
    const TensorOptions options = options_of(device, dtype);
    out = new swy_tensor(make(shape_of(rank, shape), options));
  });
}

/// Of a shape that nobody has looked at.
bool has_elements(std::span<const std::int64_t> shape) {
  constexpr std::size_t kMost = 32;
  return shape.size() > kMost || std::find(shape.begin(), shape.end(), 0) == shape.end();
}

/// What calls the caller's deleter, which may be null.
MemoryOwner owner_of(swy_deleter deleter, void* context) {
  if (deleter == nullptr) return {};
  return MemoryOwner([deleter, context] { deleter(context); });
}

}  // namespace
}  // namespace switchyard::c_api

swy_status* swy_tensor_empty(swy_device* device, swy_dtype dtype, uint32_t rank,
                             const int64_t* shape, swy_tensor** out_tensor) {
  return new_tensor(switchyard::empty, device, dtype, rank, shape, out_tensor);
}

swy_status* swy_tensor_zeros(swy_device* device, swy_dtype dtype, uint32_t rank,
                             const int64_t* shape, swy_tensor** out_tensor) {
  return new_tensor(switchyard::zeros, device, dtype, rank, shape, out_tensor);
}

swy_status* swy_tensor_from_bytes(swy_device* device, swy_dtype dtype, uint32_t rank,
                                  const int64_t* shape, const void* data, size_t size_bytes,
                                  swy_tensor** out_tensor) {
  return guarded([&] {
    swy_tensor*& out = required(out_tensor, "out_tensor");
    const TensorOptions options = options_of(device, dtype);
    const auto bytes = bytes_of(data, size_bytes, "data");
    out = new swy_tensor(
        switchyard::tensor_from_bytes(*options.dtype, bytes, shape_of(rank, shape), options));
  });
}

swy_status* swy_tensor_borrow(swy_device* device, swy_dtype dtype, uint32_t rank,
                              const int64_t* shape, const int64_t* strides, void* data,
                              uint32_t flags, swy_deleter deleter, void* context,
                              swy_tensor** out_tensor) {
  return guarded([&] {
    const switchyard::Device& where = required(device, "device").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    const auto given = array_of(shape, rank, "shape");
    if (data == nullptr && has_elements(given)) refuse_null("data");
    switchyard::MemoryOwner owner = owner_of(deleter, context);  // is told of what fails below
    check_flags(flags, SWY_BORROW_READ_ONLY);
    switchyard::BorrowOptions options{.device = where};
    if (strides != nullptr) options.strides = shape_of(rank, strides);
    const switchyard::Dims extents = shape_of(rank, shape);
    const switchyard::DType type = dtype_of(dtype);
    const bool is_read_only = (flags & SWY_BORROW_READ_ONLY) != 0;
    const switchyard::LentMemory memory =
        is_read_only ? switchyard::LentMemory(type, static_cast<const void*>(data))
                     : switchyard::LentMemory(type, data);
    Tensor borrowed = Tensor::borrow(memory, extents, std::move(owner), options);
    out = new swy_tensor(std::move(borrowed));
  });
}

swy_status* swy_tensor_from_dlpack(DLManagedTensor* capsule, swy_tensor** out_tensor) {
  return guarded([&] {
    if (capsule == nullptr) refuse_null("capsule");
    swy_tensor*& out = required(out_tensor, "out_tensor");
    // Before what may find no memory.
    Tensor taken = Tensor::from_dlpack(capsule, switchyard::Device::host());
    out = new swy_tensor(std::move(taken));
  });
}

swy_status* swy_tensor_from_dlpack_versioned(swy_device* device, DLManagedTensorVersioned* capsule,
                                             swy_tensor** out_tensor) {
  return guarded([&] {
    const switchyard::Device& where = required(device, "device").value;
    if (capsule == nullptr) refuse_null("capsule");
    swy_tensor*& out = required(out_tensor, "out_tensor");
    Tensor taken = Tensor::from_dlpack(capsule, where);
    out = new swy_tensor(std::move(taken));
  });
}

swy_status* swy_tensor_to_dlpack(swy_tensor* tensor, DLManagedTensor** out_capsule) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    DLManagedTensor*& out = required(out_capsule, "out_capsule");
    out = source.to_dlpack();
  });
}

swy_status* swy_tensor_to_dlpack_versioned(swy_tensor* tensor, uint32_t flags,
                                           DLManagedTensorVersioned** out_capsule) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    DLManagedTensorVersioned*& out = required(out_capsule, "out_capsule");
    check_flags(flags, SWY_DLPACK_COPY);
    out = source.to_dlpack_versioned((flags & SWY_DLPACK_COPY) != 0);
  });
}
