/// @file
/// Ending a run from elsewhere.
#pragma once

#include <atomic>

namespace switchyard {

/// Asked by a run at every node, set by anybody: another thread, or a signal handler, for which
/// `cancel` is safe. A run that finds it set throws Error(cancelled). It must outlive the runs that
/// it was given to, and may serve any number of them.
class CancellationToken {
 public:
  CancellationToken() = default;
  CancellationToken(const CancellationToken&) = delete;
  CancellationToken& operator=(const CancellationToken&) = delete;

  /// Asks the runs to end, and tells whether that was asked. Any thread may call them, a signal
  /// handler too.
  /// @{
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool is_cancelled() const noexcept {
    return cancelled_.load(std::memory_order_relaxed);
    /// @}
  }

  /// Makes it as new, for further runs.
  void reset() noexcept { cancelled_.store(false, std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free);
  std::atomic<bool> cancelled_{false};
};

}  // namespace switchyard
