#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "memory/counted.hpp"
#include "memory/uses.hpp"

namespace switchyard {

class Storage;

/// Takes a storage back when its last reference has gone.
class StorageOwner {
 public:
  virtual void recycle(Storage* storage) noexcept = 0;

  /// Rises when the device loses what its storages hold.
  std::uint32_t generation() const { return generation_.load(std::memory_order_acquire); }
  /// Throws the error of who uses a storage that was lost.
  [[noreturn]] virtual void report_lost() const = 0;

 protected:
  ~StorageOwner() = default;
  void lose_storages() { generation_.fetch_add(1, std::memory_order_acq_rel); }

 private:
  std::atomic<std::uint32_t> generation_{0};
};

/// A block of a device's memory, shared by the tensors that view it. Counted by reference; the last
/// one hands it back to its owner, which reuses it once the work that was recorded on it has
/// completed. That work is of its own device's streams, which live as long as the storage does.
class Storage {
 public:
  /// `size_class` is the owner's own. `home` is the stream that the memory was allocated on, where
  /// that matters.
  Storage(StorageOwner& owner, std::uint64_t handle, std::size_t bytes,
          std::uint32_t size_class = 0, const StreamProgress* home = nullptr)
      : owner_(&owner),
        handle_(handle),
        bytes_(bytes),
        requested_bytes_(bytes),
        size_class_(size_class),
        generation_(owner.generation()),
        home_(home) {}

  /// For the plugin. Throws Error(device_lost) where the device has failed since, and lost what it
  /// held.
  std::uint64_t handle() const {
    if (is_lost()) [[unlikely]]
      owner_->report_lost();
    return handle_;
  }
  bool is_lost() const { return generation_ != owner_->generation(); }
  std::size_t bytes() const { return bytes_; }
  /// Those that were asked for; the rest of bytes() holds what was there before.
  std::size_t requested_bytes() const { return requested_bytes_; }

  /// Says that work up to `sequence` on the stream behind `stream`, one of its device's, reads this
  /// storage, or writes to it.
  void record_read(StreamProgress& stream, std::uint64_t sequence) {
    uses_.record_read(stream, sequence);
  }
  void record_write(StreamProgress& stream, std::uint64_t sequence) {
    uses_.record_write(stream, sequence);
  }

  /// True once all recorded work has completed.
  bool idle() noexcept { return uses_.complete(); }
  /// The same, the stream aside that the memory was allocated on.
  bool idle_elsewhere() noexcept { return uses_.complete(home_); }
  /// Before the host reads: waits for the work that writes. Throws what it threw, at every call.
  void wait_for_writes() { uses_.wait_for_writes(); }
  /// Before the host writes: waits for all recorded work. Throws what writing threw, at every call.
  void wait_until_idle() { uses_.wait(); }
  /// The same before later work of the stream `mine` reads, or writes, which orders its own: that
  /// stream waits, where it can, and not the caller.
  void order_before_read(StreamProgress& mine) { uses_.order_after_writes(mine); }
  void order_before_write(StreamProgress& mine) { uses_.order_after_all(mine); }
  /// Waits, and does not care whether the work failed: its memory is free either way.
  void settle() noexcept { uses_.settle(); }

  void add_reference() { references_.fetch_add(1, std::memory_order_relaxed); }
  void drop_reference() noexcept {
    if (drop_counted(references_)) owner_->recycle(this);
  }
  bool is_shared() const { return references_.load(std::memory_order_acquire) > 1; }
  /// Whether the memory is a caller's: results are put into it only where the caller asks for that.
  bool is_borrowed() const { return is_borrowed_; }
  /// Whether the two may hold bytes in common: they are one, or one is a caller's memory, which may
  /// be lent twice, or be an exported tensor's.
  bool may_overlap(const Storage& other) const {
    if (this == &other) return true;
    if (!is_borrowed_ && !other.is_borrowed_) [[likely]]
      return false;
    if (!has_address_ || !other.has_address_) return true;
    return handle_ < other.handle_ + other.bytes_ && other.handle_ < handle_ + bytes_;
  }
  /// Whether nothing may write to it.
  bool is_read_only() const { return is_read_only_; }

  /// Counts the writes in place, so that who kept a tensor can tell whether its elements changed.
  std::uint32_t version() const { return version_.load(std::memory_order_acquire); }
  void count_write() { version_.fetch_add(1, std::memory_order_acq_rel); }

 protected:
  void mark_borrowed(bool is_read_only, bool has_address) {
    is_borrowed_ = true;
    is_read_only_ = is_read_only;
    has_address_ = has_address;
  }

 private:
  friend class Allocator;
  friend class StorageRef;

  StorageOwner* owner_;
  std::uint64_t handle_;
  std::size_t bytes_;
  std::size_t requested_bytes_;
  std::uint32_t size_class_;
  std::atomic<std::uint32_t> references_{0};
  std::atomic<std::uint32_t> version_{0};
  std::uint32_t generation_;  // of its owner, when its memory was asked for
  bool is_borrowed_ = false;
  bool is_read_only_ = false;
  bool has_address_ = true;  // that is its handle, where memory is borrowed
  const StreamProgress* home_;
  Uses uses_;
  Storage* next_ = nullptr;  // in a list of its owner's
};

/// A counted reference to a storage.
class StorageRef {
 public:
  StorageRef() = default;
  explicit StorageRef(Storage* storage) : storage_(storage) {
    if (storage_) storage_->add_reference();
  }
  /// The first reference to a storage without another owner.
  static StorageRef first(Storage* storage) {
    storage->references_.store(1, std::memory_order_relaxed);
    StorageRef reference;
    reference.storage_ = storage;
    return reference;
  }
  StorageRef(const StorageRef& other) : StorageRef(other.storage_) {}
  StorageRef(StorageRef&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  StorageRef& operator=(StorageRef other) noexcept {
    std::swap(storage_, other.storage_);
    return *this;
  }
  ~StorageRef() {
    if (storage_) storage_->drop_reference();
  }

  Storage* operator->() const { return storage_; }
  Storage* get() const { return storage_; }
  explicit operator bool() const { return storage_ != nullptr; }

 private:
  Storage* storage_ = nullptr;
};

}  // namespace switchyard
