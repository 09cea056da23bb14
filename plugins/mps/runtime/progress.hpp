// How far a stream is: shared by the stream and by the memory that its work uses.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace mps {

struct Progress {
  std::atomic<uint64_t> enqueued{0};
  std::atomic<uint64_t> completed{0};  // all work up to it is done, or never will be
  std::atomic<uint64_t> turns{0};      // rises with each operation and each wait for another stream

  bool has_completed(uint64_t sequence) const {
    return completed.load(std::memory_order_acquire) >= sequence;
  }
};
static_assert(std::atomic<uint64_t>::is_always_lock_free);

using ProgressRef = std::shared_ptr<Progress>;

}  // namespace mps
