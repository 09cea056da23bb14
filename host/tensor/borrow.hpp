#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <switchyard/device.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// Elements in a caller's memory.
struct LentElements {
  DType dtype = DType::undefined;
  const std::byte* first = nullptr;  // that whose indices are all 0
  Dims shape;
  Dims strides;  // in elements
  bool is_read_only = false;
  std::shared_ptr<const void> kept;  // keeps the memory
};

/// How many elements follow the first one up to the last that shape and strides show, itself
/// included; 0 if there are none. Throws Error(invalid_argument) for negative extents and strides,
/// and for more than any memory holds.
std::int64_t reach_of(const Dims& shape, const Dims& strides);

/// What Tensor::borrow() and Tensor::from_dlpack() give: a tensor on `device`, else the current
/// one, if that computes in the host's memory, else a value of the host.
Tensor borrow_elements(LentElements lent, const std::optional<Device>& device);

/// A tensor over elements in a device's own memory, which begins so many bytes before the first.
/// Throws Error(unsupported) where the plugin takes no such memory.
Tensor borrow_device_elements(LentElements lent, const Device& device, std::uint64_t offset_bytes);

}  // namespace switchyard
