/// @file
/// Where bytes lie whose handles are pointers: the host's regions, and storages of devices of kind
/// SY_MEMORY_ADDRESS.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>

#include "switchyard/plugin/shape.hpp"

namespace sy {

/// A byte of a storage whose handle is a pointer.
inline char* address_of(sy_storage storage, uint64_t offset_bytes) noexcept {
  return reinterpret_cast<char*>(static_cast<uintptr_t>(storage)) + offset_bytes;
}

/// The element whose indices are all 0. Not for peers, whose handles are another device's.
inline char* address_of(const sy_region& region) noexcept {
  return address_of(region.handle, region.offset_bytes);
}

/// The same of a run's input, whose bytes may lie in the args themselves, as immediates do. Null if
/// a tensor without elements has no storage.
inline const void* input_address(const sy_tensor& tensor) noexcept {
  if (tensor.storage != 0) [[likely]]
    return address_of(tensor.storage, tensor.offset_bytes);
  return element_count({tensor.shape, tensor.rank}) == 1 ? tensor.immediate : nullptr;
}

/// The same of an output that is not deferred. Null if one without elements has no storage.
inline void* output_address(const sy_tensor& tensor) noexcept {
  return tensor.storage == 0 ? nullptr : address_of(tensor.storage, tensor.offset_bytes);
}

}  // namespace sy
