#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// What fell back, from where to where, why, how often and at what price.
struct Fallback {
  std::string op;
  std::string from;
  std::string to;
  std::string code;
  std::string message;
  std::uint64_t count = 0;
  std::uint64_t bytes_copied = 0;
  double milliseconds = 0;
};

/// One kind of fallback, counted where it happens.
struct LedgerEntry {
  Fallback what;
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::uint64_t> bytes_copied{0};
  std::atomic<std::uint64_t> nanoseconds{0};
};

/// All fallbacks of a runtime. Entries live as long as it does. Any thread may use it.
class FallbackLedger {
 public:
  /// Told of each fallback, with its own count, bytes and time; null: none.
  using Hook = std::function<void(const Fallback&)>;

  /// The entry for this kind of fallback. `is_new` tells whether it was made just now.
  LedgerEntry& entry(const Fallback& what, bool& is_new);

  /// What was counted since the last reset; kinds that did not happen are left out.
  std::vector<Fallback> snapshot() const;
  void reset();

  void set_hook(std::shared_ptr<const Hook> hook);
  /// Counts a call that fell back so, and tells the hook.
  void count(LedgerEntry& entry, std::uint64_t bytes_copied, std::uint64_t nanoseconds);

 private:
  std::shared_ptr<const Hook> hook() const;

  mutable trace::QuietMutex guard_;
  std::deque<LedgerEntry> entries_;
  std::shared_ptr<const Hook> hook_;
  std::atomic<bool> has_hook_{false};
};

}  // namespace switchyard
