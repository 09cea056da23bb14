/// @file
/// A stream whose work is done before the call that enqueues it returns: for devices that compute
/// on the caller's thread (SY_DEVICE_SYNCHRONOUS).
#pragma once

#include <atomic>
#include <cstdint>

#include "switchyard/plugin/guard.hpp"

namespace sy {

/// Counts what was done. Several callers may count at once, as SY_DEVICE_THREAD_SAFE_RUN promises.
class SynchronousStream {
 public:
  SynchronousStream() = default;
  SynchronousStream(const SynchronousStream&) = delete;
  SynchronousStream& operator=(const SynchronousStream&) = delete;

  /// Call it after the work, for the sequence number to return. Work that failed takes no number.
  uint64_t complete_next() noexcept {
    return completed_.fetch_add(1, std::memory_order_acq_rel) + 1;
  }

  /// The number of the last work, which is over.
  uint64_t completed() const noexcept { return completed_.load(std::memory_order_acquire); }

  /// For sy_create_stream_args.completed.
  const volatile uint64_t* counter() const noexcept {
    return reinterpret_cast<const volatile uint64_t*>(&completed_);
  }

  /// There is nothing to wait for: only a number that was never given out is refused.
  void wait(uint64_t sequence) const {
    if (sequence > completed()) {
      throw invalid("waits for ", sequence, ", but the stream's last number is ", completed());
    }
  }

 private:
  std::atomic<uint64_t> completed_{0};
  static_assert(std::atomic<uint64_t>::is_always_lock_free);
  static_assert(sizeof(std::atomic<uint64_t>) == sizeof(uint64_t));
};

}  // namespace sy
