#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "device/open_device.hpp"
#include "memory/storage.hpp"

namespace switchyard {

/// The storage of `source`, made a storage of `device` without a copy, where that can import what
/// the host addresses, or both are one processor of two plugins; else empty. For reading only.
StorageRef import_storage(OpenDevice& device, OpenDevice& home, const StorageRef& source);

/// Where the bytes of an idle storage lie for who knows the device's kind of memory, as DLPack has
/// it; null where the device does not tell.
void* exported_address(OpenDevice& device, const Storage& storage);

/// Bytes of a caller's memory.
struct CallersMemory {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
  bool is_read_only = false;
};

/// A device's memory as DLPack has it, which is a caller's, as a storage of that device; it holds
/// `kept` as long as it lives. Empty, with `kept` as it was, where the plugin does not take it.
StorageRef borrow_device_memory(OpenDevice& device, const CallersMemory& memory,
                                std::shared_ptr<const void>& kept);

/// Host memory as a storage of `device`, without a copy, and where in it the bytes begin; it holds
/// `kept` as long as it lives. Empty, with `kept` as it was, where the device computes in other
/// memory than the host's.
StorageRef borrow_memory(OpenDevice& device, const CallersMemory& memory,
                         std::shared_ptr<const void>& kept, std::int64_t& offset_bytes);

}  // namespace switchyard
