#include <fmt/format.h>
#include <fmt/ranges.h>

#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "device/within_memory.hpp"
#include "error/called_function.hpp"
#include "tensor/engine.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"

namespace switchyard {
TensorImpl& impl_of(const Tensor& tensor) {
  if (tensor.impl()) [[likely]]
    return *tensor.impl();
  throw Error(ErrorKind::invalid_argument, "this Tensor holds nothing; give it a value first");
}

void require_one_element(const Tensor& tensor) {
  if (tensor.defined() && tensor.size() == 1) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("item() needs a tensor of one element, got {}",
                          tensor.defined() ? describe(tensor.shape()) : "none"));
}

Tensor::Tensor(TensorImpl* impl) : impl_(TensorRef(impl).release()) {}
Tensor::Tensor(const Tensor& other) : Tensor(other.impl_) {}
Tensor::Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Tensor& Tensor::operator=(const Tensor& other) & { return *this = Tensor(other); }
Tensor& Tensor::operator=(Tensor&& other) & noexcept {
  TensorImpl* taken = std::exchange(other.impl_, nullptr);
  release(std::exchange(impl_, taken));
  return *this;
}
Tensor::~Tensor() { release(impl_); }
void Tensor::release(TensorImpl* impl) noexcept {
  if (impl && drop_counted(impl->references)) free_tensor_impl(impl);
}
Tensor Tensor::adopt(TensorImpl* impl) {
  Tensor tensor;
  tensor.impl_ = impl;
  return tensor;
}

DType Tensor::dtype() const { return impl_of(*this).dtype; }
const Dims& Tensor::shape() const& {
  const CalledFunction here;
  return impl_of(*this).shape;
}
const Dims& Tensor::strides() const& { return impl_of(*this).strides; }
std::int64_t Tensor::size() const { return element_count(shape()); }
std::size_t Tensor::size_bytes() const { return impl_of(*this).size_bytes(); }
bool Tensor::is_contiguous() const { return impl_of(*this).contiguous; }

namespace {

void check_copy(const Tensor& tensor, std::size_t bytes) {
  const CalledFunction here("copy_to");
  const std::size_t has = impl_of(tensor).size_bytes();
  if (bytes == has) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[copy_to] the tensor has {} bytes, the destination {}", has, bytes));
}

}  // namespace

Device Tensor::device() const {
  OpenDevice* device = impl_of(*this).device;
  return device ? Device(device->shared_from_this()) : Device::host();
}

// What is late fails at a wait, and is no fault of the function that waits: these name functions
// for what is wrong with the call alone.

void Tensor::copy_to(void* destination, std::size_t bytes) const {
  check_copy(*this, bytes);
  write_to(TensorRef(impl_), destination);
}

void Tensor::copy_out(void* list, void* (*grow)(void* list, std::size_t count),
                      const char* function) const {
  void* position = nullptr;
  {
    const CalledFunction here(function);
    if (impl_of(*this).device) require_host_memory(*impl_->device, size_bytes());
    position = within_memory("the elements of a tensor in a vector",
                             [&] { return grow(list, static_cast<std::size_t>(size())); });
  }
  copy_to(position, size_bytes());
}

void Tensor::copy_element(void* destination, const char* function) const {
  if (element_count(impl_of(*this).shape) != 1) {
    const CalledFunction here(function);
    require_one_element(*this);
  }
  copy_to(destination, size_bytes());
}

std::vector<std::string> Tensor::to_texts() const {
  require(DType::string, "to_texts");
  const CalledFunction here;
  CopyCount count;
  return read_to_host(TensorRef(&impl_of(*this)), count).strings();
}

void Tensor::require(DType dtype, const char* function) const {
  const CalledFunction here(function);
  if (dtype == impl_of(*this).dtype) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] the tensor holds {}, not {}; convert it with to()", function,
                          name_of(impl_->dtype), name_of(dtype)));
}

}  // namespace switchyard
