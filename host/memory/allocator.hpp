#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "memory/borrowed_storage.hpp"
#include "memory/spin_lock.hpp"
#include "memory/storage.hpp"
#include "trace/quiet_mutex.hpp"

namespace switchyard {

/// A block of a device's memory.
struct Block {
  std::uint64_t handle = 0;
  // The stream in whose order a source that caches gave it: work there may still use the memory.
  StreamProgress* home = nullptr;
};

/// Where an allocator gets its blocks: one device.
class MemorySource {
 public:
  /// A new block. Throws Error(out_of_memory) if there is none.
  virtual Block allocate_block(std::size_t bytes) = 0;
  virtual void release_block(std::uint64_t handle) noexcept = 0;
  /// Asks the device to give back what it caches itself; how much that was, if it says so.
  virtual std::size_t trim_blocks() noexcept = 0;

 protected:
  ~MemorySource() = default;
};

struct MemoryStatistics {
  std::size_t used_bytes = 0;     // in blocks that tensors hold
  std::size_t peak_bytes = 0;     // the most that was ever used
  std::size_t cached_bytes = 0;   // in blocks kept for later, or waiting for their work to complete
  std::uint64_t allocations = 0;  // requests
  std::uint64_t reuses = 0;       // requests served without the device
};

/// A caching allocator for one device.
///
/// A storage is in one state at a time: used (somebody holds a reference), pending (nobody does,
/// but work under way uses it), or free (in the list of its size class). All three count as held,
/// against Limits::bytes; a request that is under way counts as reserved, so that threads together
/// do not pass the limit. Bytes are let go of only when the source has the block back.
///
/// `lock_` guards every list and count; it spins, so nothing that may wait is done under it: the
/// source is called, work is waited for and the lifeline goes after it was let go of. `reclaiming_`
/// is taken first where both are: who holds it has blocks in hand that still count, so who is short
/// of memory waits for it before giving up. give_back_lost() takes it never, as its holder may wait
/// for the device that is being recovered.
///
/// Sizes round up to classes (four to each power of two), a
/// class keeps a list of free blocks, and a block comes back into its list as soon as its last user
/// has completed. A source that caches gets it back then, its own order aside: work of the stream
/// that the block was allocated on may still be under way. Any thread may allocate and release.
class Allocator final : public StorageOwner {
 public:
  /// More than any memory; sums of two of these do not overflow.
  static constexpr std::size_t kMostBytes = std::size_t{1} << 46;

  struct Limits {
    std::size_t bytes = 0;                  // used and cached blocks together; 0 for none
    std::size_t cached_bytes = kMostBytes;  // of blocks kept for later
    bool caches = true;                    // else blocks go back to the source, which caches itself
    std::size_t value_bytes = kMostBytes;  // of one request
  };

  /// `lifeline` is asked for whenever the first storage comes to be used, and let go with the last:
  /// it keeps the source alive as long as any tensor needs it.
  Allocator(MemorySource& source, std::string device_name, Limits limits,
            std::function<std::shared_ptr<void>()> lifeline);
  ~Allocator();
  Allocator(const Allocator&) = delete;
  Allocator& operator=(const Allocator&) = delete;

  /// At least `bytes`, uninitialised. On shortage: trims, waits for work to complete, and tries
  /// again for as long as that gives anything back; then throws Error(out_of_memory).
  StorageRef allocate(std::size_t bytes);
  /// A storage over a caller's memory, which no limit counts: a block that the source imported when
  /// this had that generation, and takes back as one of its own. Its last reference waits for the
  /// work that was recorded on it.
  StorageRef borrow(std::uint64_t handle, std::uint32_t generation, BorrowedMemory memory);
  /// Throws Error(out_of_memory) for more bytes than one request may have: before work whose length
  /// a caller chose, and for copies that are made elsewhere.
  void require_memory(std::size_t bytes) const;

  /// Gives every free block back to the device, and has it let go of what it caches itself; returns
  /// the bytes.
  std::size_t trim();
  /// The same after waiting for the work that still uses blocks nobody else does.
  std::size_t reclaim();

  /// Says that the source has lost what its blocks held: storages can only be let go of. Those that
  /// work may still use stay.
  void lose_all();
  /// Says that no such work runs any more.
  void end_lost_work();
  /// Those that nobody uses go back to it.
  void give_back_lost();

  MemoryStatistics statistics() const;
  const Limits& limits() const { return limits_; }
  void recycle(Storage* storage) noexcept override;
  [[noreturn]] void report_lost() const override;

 private:
  static constexpr std::size_t kClasses = 4 * 48;

  Storage* pop_free(std::uint32_t size_class);
  Storage* new_block(std::uint32_t size_class);
  Block take_block(std::size_t bytes);
  bool reserve(std::size_t bytes);  // false: too much is held
  void unreserve(std::size_t bytes);
  bool uses_too_much(std::size_t more_bytes);
  std::size_t reclaim_in_turn();
  std::size_t settle_pending();  // waits, without the lock
  std::size_t give_back_free();
  bool is_done(Storage& storage) noexcept;
  Storage* take_completed();  // the caller holds the lock
  void keep_completed();      // the same
  void give_back_completed();
  std::size_t give_back(Storage* list) noexcept;
  Storage* take_surplus() noexcept;  // the caller holds the lock
  void put_free(Storage* storage) noexcept;
  void count_use(std::size_t bytes);
  std::shared_ptr<void> count_release(std::size_t bytes);
  void give_back_borrowed(BorrowedStorage* storage) noexcept;

  MemorySource& source_;
  const std::string device_name_;
  const Limits limits_;
  const std::function<std::shared_ptr<void>()> lifeline_;
  trace::QuietMutex reclaiming_;  // held by who has blocks in hand to give back: they still count
  mutable SpinLock lock_;
  std::array<Storage*, kClasses> free_{};
  Storage* pending_ = nullptr;      // without references, but with work under way
  std::size_t held_bytes_ = 0;      // of all blocks
  std::size_t reserved_bytes_ = 0;  // asked of the source, not there yet
  std::size_t used_bytes_ = 0;
  std::size_t peak_bytes_ = 0;
  std::uint64_t allocations_ = 0;
  std::uint64_t misses_ = 0;  // allocations that no free block served
  std::uint64_t live_ = 0;    // storages in use
  bool lost_work_may_run_ = false;
  std::shared_ptr<void> alive_;
};

}  // namespace switchyard
