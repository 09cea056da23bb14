#pragma once

#include <atomic>
#include <cstdint>

namespace switchyard {

/// Gives up one reference; true if it was the last, and then the count is 0. A sole owner sees that
/// it is: nobody can add a reference but from one that they hold, so no atomic change is needed.
inline bool drop_counted(std::atomic<std::uint32_t>& references) noexcept {
  if (references.load(std::memory_order_acquire) == 1) {
    references.store(0, std::memory_order_relaxed);
    return true;
  }
  return references.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

}  // namespace switchyard
