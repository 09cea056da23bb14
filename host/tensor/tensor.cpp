#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <switchyard/error.hpp>
#include <switchyard/tensor.hpp>

#include "device/within_memory.hpp"
#include "tensor/engine.hpp"
#include "tensor/placement.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

/// The number of elements, of which any dtype's bytes can be counted.
std::int64_t checked_count(const Dims& shape) {
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t count = 1;
  for (std::int64_t extent : shape) {
    if (extent < 0) throw Error(ErrorKind::usage, fmt::format("extent {} is negative", extent));
    if (extent == 0) return 0;
    if (__builtin_mul_overflow(count, extent, &count) || count > kMost) {
      throw Error(ErrorKind::usage, fmt::format("shape [{}] is larger than any memory",
                                                fmt::join(shape.span(), ", ")));
    }
  }
  return count;
}

}  // namespace

TensorImpl& impl_of(const Tensor& tensor) {
  if (tensor.impl()) [[likely]]
    return *tensor.impl();
  throw Error(ErrorKind::usage, "this Tensor holds nothing; give it a value first");
}

Tensor::Tensor(TensorImpl* impl) : impl_(TensorRef(impl).release()) {}
Tensor::Tensor(const Tensor& other) : Tensor(other.impl_) {}
Tensor::Tensor(Tensor&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
Tensor& Tensor::operator=(const Tensor& other) { return *this = Tensor(other); }
Tensor& Tensor::operator=(Tensor&& other) noexcept {
  std::swap(impl_, other.impl_);
  return *this;
}
Tensor::~Tensor() {
  if (impl_ && drop_counted(impl_->references)) free_tensor_impl(impl_);
}
Tensor Tensor::adopt(TensorImpl* impl) {
  Tensor tensor;
  tensor.impl_ = impl;
  return tensor;
}

Tensor Tensor::copy_of(DType dtype, const Dims& shape, const void* data, std::size_t bytes) {
  if (dtype == DType::string || dtype == DType::undefined) {
    throw Error(ErrorKind::usage,
                "copy_of takes element types of fixed size; use of_text for text");
  }
  const std::size_t needed = byte_size(dtype, checked_count(shape));
  if (bytes != needed) {
    throw Error(ErrorKind::usage,
                fmt::format("shape [{}] of {} needs {} bytes, got {}",
                            fmt::join(shape.span(), ", "), name_of(dtype), needed, bytes));
  }
  Literal literal(dtype, shape);
  if (bytes > 0) std::memcpy(literal.mutable_bytes(), data, bytes);
  return Tensor(make_host_tensor(std::move(literal)).get());
}

Tensor Tensor::of_text(const Dims& shape, std::vector<std::string> values) {
  if (static_cast<std::int64_t>(values.size()) != checked_count(shape)) {
    throw Error(ErrorKind::usage,
                fmt::format("shape [{}] needs {} texts, got {}", fmt::join(shape.span(), ", "),
                            element_count(shape), values.size()));
  }
  return Tensor(make_host_tensor(Literal(shape, std::move(values))).get());
}

DType Tensor::dtype() const { return impl_of(*this).dtype; }
const Dims& Tensor::shape() const { return impl_of(*this).shape; }
const Dims& Tensor::strides() const { return impl_of(*this).strides; }
std::int64_t Tensor::size() const { return element_count(shape()); }
std::size_t Tensor::size_bytes() const { return impl_of(*this).size_bytes(); }
bool Tensor::is_contiguous() const { return impl_of(*this).contiguous; }

std::string Tensor::device() const {
  const TensorImpl& impl = impl_of(*this);
  return impl.device ? impl.device->name() : "host";
}

void Tensor::copy_to(void* destination, std::size_t bytes) const {
  if (bytes != size_bytes()) {
    throw Error(ErrorKind::usage,
                fmt::format("the tensor has {} bytes, the destination {}", size_bytes(), bytes));
  }
  write_to(TensorRef(&impl_of(*this)), destination);
}

void Tensor::copy_out(void* list, void* (*grow)(void* list, std::size_t count)) const {
  if (impl_of(*this).device) require_host_room(*impl_->device, size_bytes());
  void* place = within_memory("the elements of a tensor in a vector",
                              [&] { return grow(list, static_cast<std::size_t>(size())); });
  copy_to(place, size_bytes());
}

std::vector<std::string> Tensor::to_texts() const {
  require(DType::string);
  CopyCount count;
  return read_to_host(TensorRef(&impl_of(*this)), count).strings();
}

void Tensor::require(DType dtype) const {
  if (dtype != this->dtype()) {
    throw Error(ErrorKind::usage,
                fmt::format("the tensor holds {}, not {}", name_of(this->dtype()), name_of(dtype)));
  }
}

}  // namespace switchyard
