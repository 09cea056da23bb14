#pragma once

#include <atomic>
#include <thread>

namespace switchyard {

/// For a few instructions on the hot path, where a mutex would cost more than what it guards.
class SpinLock {
 public:
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire)) {
      while (locked_.load(std::memory_order_relaxed)) std::this_thread::yield();
    }
  }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

}  // namespace switchyard
