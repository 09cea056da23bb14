#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "memory/storage.hpp"

namespace switchyard {

/// Memory that is a caller's, and what keeps it.
struct BorrowedMemory {
  std::size_t bytes = 0;
  bool is_read_only = false;
  bool has_address = true;  // that its handle is; else nobody knows what it shares bytes with
  std::shared_ptr<const void> kept = {};
};

/// A block of a caller's memory. Its owner never reuses it, and lets go of what keeps the memory
/// once all recorded work has completed.
class BorrowedStorage final : public Storage {
 public:
  BorrowedStorage(StorageOwner& owner, std::uint64_t handle, BorrowedMemory& memory)
      : Storage(owner, handle, memory.bytes), kept_(std::move(memory.kept)) {
    mark_borrowed(memory.is_read_only, memory.has_address);
  }

 private:
  const std::shared_ptr<const void> kept_;
};

}  // namespace switchyard
