#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

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

/// All fallbacks of a runtime. Entries live as long as it does.
class FallbackLedger {
 public:
  /// The entry for this kind of fallback. `is_new` tells whether it was made just now.
  LedgerEntry& entry(const Fallback& what, bool& is_new);

  /// What was counted since the last reset; kinds that did not happen are left out.
  std::vector<Fallback> snapshot() const;
  void reset();

 private:
  mutable std::mutex guard_;
  std::deque<LedgerEntry> entries_;
};

}  // namespace switchyard
