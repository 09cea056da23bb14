// Counts the device's memory, and refuses more than there is.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace mps::software {

class Ledger {
 public:
  explicit Ledger(uint64_t limit) : limit_(limit) {}
  uint64_t limit() const { return limit_; }
  uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  // Throws Failure(out_of_memory).
  void take(uint64_t bytes);
  void give_back(uint64_t bytes) { used_.fetch_sub(bytes, std::memory_order_relaxed); }

 private:
  const uint64_t limit_;
  std::atomic<uint64_t> used_{0};
};

// What a limit of 0 in Settings stands for: a quarter of the memory that this process may use.
uint64_t default_memory_limit();

}  // namespace mps::software
