#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "memory/clock.hpp"
#include "memory/spin_lock.hpp"

namespace switchyard {

/// The work that uses a storage or a kernel: for each stream, the number of the last use. Whatever
/// the clocks belong to must outlive this. Any thread may use it.
class Uses {
 public:
  /// Says that work up to `sequence` on the stream behind `clock` is a user.
  void record(Clock& clock, std::uint64_t sequence);

  /// True if nothing was recorded that has not been seen to complete. For the last owner alone.
  bool none() const { return list_.empty(); }
  /// True once all recorded work has completed, that of the stream `but` aside.
  bool complete(const Clock* but = nullptr) noexcept;

  /// Waits for all recorded work, that of the stream `but` aside. Throws what it threw, at every
  /// call.
  void wait(const Clock* but = nullptr);
  /// Waits for all of it, and does not care whether it failed.
  void settle() noexcept;

 private:
  using List = std::vector<std::pair<Clock*, std::uint64_t>>;

  List copy() const;
  void forget(const List& completed);

  mutable SpinLock lock_;
  List list_;  // one entry a stream; empty on synchronous devices
};

}  // namespace switchyard
