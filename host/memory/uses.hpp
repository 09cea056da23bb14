#pragma once

#include <cstdint>
#include <vector>

#include "memory/spin_lock.hpp"
#include "memory/stream_progress.hpp"

namespace switchyard {

/// The work that uses a storage or a kernel: for each stream, the numbers of the last use and of
/// the last write. Work that writes and fails leaves an error to whoever looks later; work that
/// reads does not. Whatever the clocks belong to must outlive this. Any thread may use it.
class Uses {
 public:
  /// Says that work up to `sequence` on the stream behind `stream` reads, or writes.
  void record_read(StreamProgress& stream, std::uint64_t sequence);
  void record_write(StreamProgress& stream, std::uint64_t sequence);

  /// True if nothing was recorded that has not been seen to complete. For the last owner alone.
  bool none() const { return list_.empty(); }
  /// True once all recorded work has completed, that of the stream `but` aside.
  bool complete(const StreamProgress* but = nullptr) noexcept;

  /// Waits for the work that writes. Throws what it threw, at every call.
  void wait_for_writes();
  /// Waits for all recorded work. Throws what writing threw, at every call.
  void wait();
  /// Sees to it that later work of `mine` comes after the work of other streams that writes, or
  /// after all of it: the stream waits, where it can follow another, else the caller. Throws as the
  /// waits above do.
  void order_after_writes(StreamProgress& mine);
  void order_after_all(StreamProgress& mine);
  /// Waits for all of it, and does not care whether it failed.
  void settle() noexcept;

 private:
  struct Use {
    StreamProgress* stream;
    std::uint64_t last;
    std::uint64_t last_write;  // 0: none that has not been seen to succeed
  };
  using List = std::vector<Use>;

  Use& use_of(StreamProgress& stream);
  List copy(const StreamProgress* but = nullptr) const;
  void forget_writes(const List& completed);
  void forget(const List& completed);

  mutable SpinLock lock_;
  List list_;  // one entry a stream; empty on synchronous devices
};

}  // namespace switchyard
