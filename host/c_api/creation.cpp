// Tensors out of nothing, of a caller's bytes, and of other libraries' tensors.
#include <switchyard/functions/creation.hpp>

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

swy_status* swy_tensor_from_dlpack(DLManagedTensor* capsule, swy_tensor** out_tensor) {
  return guarded([&] {
    if (capsule == nullptr) refuse_null("capsule");
    swy_tensor*& out = required(out_tensor, "out_tensor");
    Tensor taken = Tensor::from_dlpack(capsule);  // before what may find no memory
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
