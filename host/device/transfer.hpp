#pragma once

#include <cstdint>
#include <utility>

#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

#include "device/open_device.hpp"
#include "memory/storage.hpp"

namespace switchyard {

/// Elements somewhere: in a device's storage, or in host memory where `device` is null.
struct Location {
  OpenDevice* device = nullptr;
  Storage* storage = nullptr;      // null for host memory and for zero-size tensors
  void* pointer = nullptr;         // host memory
  std::uint64_t offset_bytes = 0;  // of the element whose indices are all 0, into the storage
  Dims strides;                    // elements

  static Location host(void* pointer, Dims strides) {
    return {nullptr, nullptr, pointer, 0, std::move(strides)};
  }
};

/// Copies elements between any two positions and any two devices: within a device by its own
/// `copy`, else by peer copy, by the host's view of either memory (an address, or `map`), or
/// through a staging buffer. When it returns, host memory has been read or written; work between
/// storages may go on.
void transfer(DType dtype, const Dims& shape, const Location& source, const Location& destination);

}  // namespace switchyard
