// Tensors over memory of a caller's.
#include "tensor/borrow.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>

#include "device/host_memory.hpp"
#include "device/imports.hpp"
#include "error/called_function.hpp"
#include "tensor/tensor_impl.hpp"
#include "types/describe.hpp"
#include "types/dimensions.hpp"

namespace switchyard {
namespace {

/// Whether the elements lie where a kernel may read and write them one by one: complex ones are
/// aligned as their parts.
bool lies_aligned(const LentElements& lent) {
  const auto alignment = static_cast<std::uintptr_t>(std::clamp(bit_width(lent.dtype) / 8, 1, 8));
  return reinterpret_cast<std::uintptr_t>(lent.first) % alignment == 0;
}

/// From the first byte of the elements to the last.
std::size_t bytes_of(const LentElements& lent) {
  const bool is_packed = bit_width(lent.dtype) < 8;
  return byte_size(lent.dtype,
                   is_packed ? element_count(lent.shape) : reach_of(lent.shape, lent.strides));
}

TensorRef tensor_over(OpenDevice& device, const LentElements& lent, StorageRef storage,
                      std::int64_t offset_bytes) {
  TensorRef tensor = new_tensor();
  tensor->dtype = lent.dtype;
  tensor->shape = lent.shape;
  tensor->strides = lent.strides;
  tensor->offset_bytes = offset_bytes;
  tensor->device = &device;
  tensor->storage = std::move(storage);
  tensor->set_layout();
  return tensor;
}

/// A tensor of the device's over the memory; empty where the device does not compute in it.
TensorRef lent_to(OpenDevice& device, LentElements& lent) {
  if (!lies_aligned(lent)) return {};
  const CallersMemory memory{const_cast<std::byte*>(lent.first), bytes_of(lent), lent.is_read_only};
  std::int64_t offset_bytes = 0;
  StorageRef storage = borrow_memory(device, memory, lent.kept, offset_bytes);
  return storage ? tensor_over(device, lent, std::move(storage), offset_bytes) : TensorRef();
}

void check_lent(const LentElements& lent) {
  check_dimensions(lent.shape.size());
  if (bit_width(lent.dtype) == 0) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[borrow] elements of {} have no fixed size; text is text_tensor()'s",
                            name_of(lent.dtype)));
  }
  if (lent.strides.size() != lent.shape.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[borrow] shape {} has {} dimensions, and there are {} strides",
                            describe(lent.shape), lent.shape.size(), lent.strides.size()));
  }
  if (reach_of(lent.shape, lent.strides) > 0 && lent.first == nullptr) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[borrow] {} lies nowhere: the pointer is null",
                            describe(lent.dtype, lent.shape)));
  }
  if (bit_width(lent.dtype) < 8 && !is_contiguous(lent.shape, lent.strides)) {
    throw Error(ErrorKind::unsupported,
                fmt::format("[borrow] elements of {} share bytes, so that they cannot be strided; "
                            "make them contiguous first",
                            name_of(lent.dtype)));
  }
}

/// NumPy has negative strides where there is one element, or none, to step to.
void drop_meaningless_strides(LentElements& lent) {
  for (std::size_t d = 0; d < lent.shape.size(); ++d) {
    if (lent.strides[d] < 0 && lent.shape[d] <= 1) lent.strides[d] = 1;
  }
}

}  // namespace

std::int64_t reach_of(const Dims& shape, const Dims& strides) {
  constexpr std::int64_t kMost = std::int64_t{1} << 46;
  std::int64_t last = 0;
  bool is_empty = false, is_too_far = false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] < 0 || (strides[d] < 0 && shape[d] > 1)) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[borrow] shape [{}] and strides [{}]: none may be negative",
                              fmt::join(shape.span(), ", "), fmt::join(strides.span(), ", ")));
    }
    if (shape[d] == 0) is_empty = true;
    std::int64_t step = 0;
    is_too_far =
        is_too_far ||
        __builtin_mul_overflow(std::max<std::int64_t>(shape[d], 1) - 1, strides[d], &step) ||
        __builtin_add_overflow(last, step, &last) || last > kMost;
  }
  if (is_empty) return 0;
  if (is_too_far || element_count(shape) > kMost) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[borrow] shape [{}] with strides [{}] is larger than any memory",
                            fmt::join(shape.span(), ", "), fmt::join(strides.span(), ", ")));
  }
  return last + 1;
}

Tensor borrow_elements(LentElements lent, const std::optional<Device>& asked) {
  check_lent(lent);
  drop_meaningless_strides(lent);
  const Device device = asked ? *asked : current_device();
  if (!device.is_host()) {
    OpenDevice& open = *device.open();
    if (element_count(lent.shape) == 0) {
      return Tensor(make_device_tensor(open, lent.dtype, lent.shape).get());
    }
    if (const TensorRef tensor = lent_to(open, lent)) return Tensor(tensor.get());
    if (is_contiguous(lent.shape, lent.strides)) {
      lent.kept = register_memory(
          open, lent.first, byte_size(lent.dtype, element_count(lent.shape)), std::move(lent.kept));
    }
  }
  if (!is_contiguous(lent.shape, lent.strides)) {
    if (!device.is_host() && !lies_aligned(lent)) {
      throw Error(ErrorKind::unsupported,
                  fmt::format("[borrow] strided elements of {} must lie at an address that is a "
                              "multiple of their size",
                              name_of(lent.dtype)));
    }
    throw Error(
        ErrorKind::unsupported,
        fmt::format("[borrow] strides [{}] of shape {}: strided elements are shared with a "
                    "device that computes in the host's memory alone, which {} does not; "
                    "make them contiguous first",
                    fmt::join(lent.strides.span(), ", "), describe(lent.shape), device.name()));
  }
  return Tensor(
      make_host_tensor(Literal(lent.dtype, lent.shape, std::move(lent.kept), lent.first)).get());
}

Tensor borrow_device_elements(LentElements lent, const Device& device, std::uint64_t offset_bytes) {
  check_lent(lent);
  drop_meaningless_strides(lent);
  OpenDevice& open = *device.open();
  if (element_count(lent.shape) == 0) {
    return Tensor(make_device_tensor(open, lent.dtype, lent.shape).get());
  }
  const CallersMemory memory{const_cast<std::byte*>(lent.first) - offset_bytes,
                             offset_bytes + bytes_of(lent), lent.is_read_only};
  StorageRef storage = borrow_device_memory(open, memory, lent.kept);
  if (!storage) {
    throw Error(ErrorKind::unsupported,
                fmt::format("[borrow] {}: the plugin takes no memory of others; copy the elements "
                            "to the host's memory first",
                            device.name()));
  }
  return Tensor(
      tensor_over(open, lent, std::move(storage), static_cast<std::int64_t>(offset_bytes)).get());
}

Tensor Tensor::borrow(const LentMemory& elements, const Dims& shape, MemoryOwner owner,
                      const BorrowOptions& options) {
  const CalledFunction here;
  LentElements lent{.dtype = elements.dtype(),
                    .first = static_cast<const std::byte*>(elements.elements()),
                    .shape = shape,
                    .strides = options.strides.value_or(contiguous_strides(shape)),
                    .is_read_only = elements.is_read_only(),
                    .kept = std::move(owner).take()};
  if (elements.size_bytes() && lent.strides.size() == shape.size()) {
    const std::size_t needed = byte_size(lent.dtype, reach_of(shape, lent.strides));
    if (needed > *elements.size_bytes()) {
      throw Error(
          ErrorKind::shape_mismatch,
          fmt::format("[borrow] shape {} of {} with strides [{}] needs {} bytes, and the "
                      "span has {}",
                      describe(shape), name_of(lent.dtype), fmt::join(lent.strides.span(), ", "),
                      needed, *elements.size_bytes()));
    }
  }
  return borrow_elements(std::move(lent), options.device);
}

}  // namespace switchyard
