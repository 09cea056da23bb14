// What a tensor is and where it lies.
#include "c_api/arguments.hpp"
#include "c_api/guarded.hpp"
#include "c_api/objects.hpp"

using switchyard::Tensor;
using namespace switchyard::c_api;

swy_status* swy_tensor_dtype(swy_tensor* tensor, swy_dtype* out_dtype) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_dtype, "out_dtype") = static_cast<swy_dtype>(asked.dtype());
  });
}

swy_status* swy_tensor_rank(swy_tensor* tensor, uint32_t* out_rank) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_rank, "out_rank") = static_cast<uint32_t>(asked.dim());
  });
}

swy_status* swy_tensor_shape(swy_tensor* tensor, const int64_t** out_shape) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_shape, "out_shape") = asked.shape().data();
  });
}

swy_status* swy_tensor_strides(swy_tensor* tensor, const int64_t** out_strides) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_strides, "out_strides") = asked.strides().data();
  });
}

swy_status* swy_tensor_size_bytes(swy_tensor* tensor, size_t* out_size_bytes) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    required(out_size_bytes, "out_size_bytes") = asked.size_bytes();
  });
}

swy_status* swy_tensor_device(swy_tensor* tensor, swy_device** out_device) {
  return guarded([&] {
    const Tensor& asked = required(tensor, "tensor").value;
    swy_device*& out = required(out_device, "out_device");
    out = new swy_device(asked.device());
  });
}

swy_status* swy_tensor_is_same(swy_tensor* a, swy_tensor* b, int* out_is_same) {
  return guarded([&] {
    const Tensor& first = required(a, "a").value;
    const Tensor& second = required(b, "b").value;
    required(out_is_same, "out_is_same") = first.impl() == second.impl() ? 1 : 0;
  });
}

swy_status* swy_tensor_read(swy_tensor* tensor, void* destination, size_t size_bytes) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    array_of(static_cast<std::byte*>(destination), size_bytes, "destination");
    source.copy_to(destination, size_bytes);
  });
}

swy_status* swy_tensor_map(swy_tensor* tensor, swy_mapping** out_mapping, const void** out_data) {
  return guarded([&] {
    const Tensor& mapped = required(tensor, "tensor").value;
    swy_mapping*& out = required(out_mapping, "out_mapping");
    const void*& data = required(out_data, "out_data");
    out = new swy_mapping(mapped.view_host_bytes());
    data = out->value.data();
  });
}

void swy_mapping_retain(swy_mapping* mapping) { retain(mapping); }
void swy_mapping_release(swy_mapping* mapping) { release(mapping); }

swy_status* swy_tensor_assign(swy_tensor* tensor, swy_tensor* source) {
  return guarded([&] {
    const Tensor& target = required(tensor, "tensor").value;
    target.copy_(required(source, "source").value);
  });
}

swy_status* swy_tensor_to_device(swy_tensor* tensor, swy_device* device, swy_tensor** out_tensor) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    const switchyard::Device& target = required(device, "device").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    out = new swy_tensor(source.to(target));
  });
}

swy_status* swy_tensor_clone(swy_tensor* tensor, swy_tensor** out_tensor) {
  return guarded([&] {
    const Tensor& source = required(tensor, "tensor").value;
    swy_tensor*& out = required(out_tensor, "out_tensor");
    out = new swy_tensor(source.clone());
  });
}

void swy_tensor_retain(swy_tensor* tensor) { retain(tensor); }
void swy_tensor_release(swy_tensor* tensor) { release(tensor); }
