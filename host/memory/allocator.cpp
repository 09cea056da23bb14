#include "memory/allocator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <switchyard/error.hpp>

#include "trace/quiet_mutex.hpp"

namespace switchyard {
namespace {

constexpr std::size_t kSmallest = 64;

/// Classes 64, 80, 96, 112, 128, 160, ...: at most a quarter of a block is lost.
std::uint32_t class_of(std::size_t bytes) {
  if (bytes <= kSmallest) return 0;
  const int power = std::bit_width(bytes) - 1;
  const std::size_t beyond = bytes - (std::size_t{1} << power);
  const std::size_t quarters = (beyond + (std::size_t{1} << (power - 2)) - 1) >> (power - 2);
  return static_cast<std::uint32_t>(power - 6) * 4 + static_cast<std::uint32_t>(quarters);
}

std::size_t class_bytes(std::uint32_t size_class) {
  const std::size_t power = size_class / 4 + 6;
  return (std::size_t{1} << power) + (size_class % 4) * (std::size_t{1} << (power - 2));
}

}  // namespace

Allocator::Allocator(MemorySource& source, std::string device_name, Limits limits,
                     std::function<std::shared_ptr<void>()> lifeline)
    : source_(source),
      device_name_(std::move(device_name)),
      limits_(limits),
      lifeline_(std::move(lifeline)) {}

Allocator::~Allocator() { reclaim(); }

inline void Allocator::count_use(std::size_t bytes) {
  if (live_++ == 0) [[unlikely]]
    alive_ = lifeline_();
  used_bytes_ += bytes;
  peak_bytes_ = std::max(peak_bytes_, used_bytes_);
}

inline std::shared_ptr<void> Allocator::count_release(std::size_t bytes) {
  used_bytes_ -= bytes;
  return --live_ == 0 ? std::move(alive_) : nullptr;
}

inline void Allocator::put_free(Storage* storage) noexcept {
  Storage*& head = free_[storage->size_class_];
  storage->next_ = head;
  head = storage;
}

inline Storage* Allocator::pop_free(std::uint32_t size_class) {
  std::scoped_lock guard(lock_);
  ++allocations_;
  Storage*& head = free_[size_class];
  if (!head && pending_ && limits_.caches) [[unlikely]] {
    keep_completed();
  }
  Storage* storage = head;
  if (!storage) [[unlikely]] {
    ++misses_;
    return nullptr;
  }
  head = storage->next_;
  count_use(storage->bytes_);
  return storage;
}

void Allocator::require_memory(std::size_t bytes) const {
  if (bytes <= limits_.value_bytes) [[likely]]
    return;
  Error error(ErrorKind::out_of_memory,
              fmt::format("{}: a tensor of {} bytes passes the limit of {} bytes for one; raise "
                          "limits.value_bytes or use smaller inputs",
                          device_name_, bytes, limits_.value_bytes));
  throw error.set_device(device_name_);
}

StorageRef Allocator::allocate(std::size_t bytes) {
  require_memory(bytes);
  const std::uint32_t size_class = class_of(bytes);
  Storage* storage = pop_free(size_class);
  if (!storage) storage = new_block(size_class);
  storage->requested_bytes_ = bytes;
  return StorageRef::first(storage);
}

Storage* Allocator::new_block(std::uint32_t size_class) {
  if (!limits_.caches) give_back_completed();
  const std::size_t bytes = class_bytes(size_class);
  const std::uint32_t generation = this->generation();  // the device may be lost meanwhile
  const Block block = take_block(bytes);
  Storage* storage = nullptr;
  try {
    storage = new Storage(*this, block.handle, bytes, size_class, block.home);
    storage->generation_ = generation;
    // What another thread is just enqueuing there may have used it, and given it back, as well.
    if (const std::uint64_t after = block.home ? block.home->last_begun() : 0; after > 0) {
      storage->record_read(*block.home, after);
    }
  } catch (...) {
    delete storage;
    source_.release_block(block.handle);
    unreserve(bytes);
    throw;
  }
  std::scoped_lock guard(lock_);
  reserved_bytes_ -= bytes;
  held_bytes_ += bytes;
  count_use(bytes);
  return storage;
}

StorageRef Allocator::borrow(std::uint64_t handle, std::uint32_t generation,
                             BorrowedMemory memory) {
  Storage* storage = nullptr;
  try {
    storage = new BorrowedStorage(*this, handle, memory);
  } catch (...) {
    source_.release_block(handle);
    throw;
  }
  storage->generation_ = generation;
  std::scoped_lock guard(lock_);
  count_use(0);
  return StorageRef::first(storage);
}

// What keeps the memory goes last: then nothing of the device knows the memory any more. It may
// call functions of tensors.
void Allocator::give_back_borrowed(BorrowedStorage* storage) noexcept {
  storage->settle();
  source_.release_block(storage->handle_);
  std::shared_ptr<void> last;  // may take this allocator along
  {
    std::scoped_lock guard(lock_);
    last = count_release(0);
  }
  delete storage;
}

Block Allocator::take_block(std::size_t bytes) {
  std::unique_lock<trace::QuietMutex> turn(reclaiming_, std::defer_lock);
  bool gave_back = true;
  while (true) {
    if (reserve(bytes)) {
      try {
        return source_.allocate_block(bytes);
      } catch (const Error& error) {
        unreserve(bytes);
        if (error.kind() != ErrorKind::out_of_memory || !gave_back) throw;
      } catch (...) {
        unreserve(bytes);
        throw;
      }
    } else if (!gave_back && uses_too_much(bytes)) {
      Error error(ErrorKind::out_of_memory,
                  fmt::format("{}: {} more bytes would pass the limit of {} bytes; raise "
                              "host.memory_limit or use smaller inputs",
                              device_name_, bytes, limits_.bytes));
      throw error.set_device(device_name_);
    }
    // What another thread gives back meanwhile is waited for here.
    if (!turn) turn.lock();
    gave_back = reclaim_in_turn() > 0;
  }
}

bool Allocator::reserve(std::size_t bytes) {
  std::scoped_lock guard(lock_);
  if (limits_.bytes != 0 && held_bytes_ + reserved_bytes_ + bytes > limits_.bytes) return false;
  reserved_bytes_ += bytes;
  return true;
}

void Allocator::unreserve(std::size_t bytes) {
  std::scoped_lock guard(lock_);
  reserved_bytes_ -= bytes;
}

bool Allocator::uses_too_much(std::size_t more_bytes) {
  std::scoped_lock guard(lock_);
  return used_bytes_ + reserved_bytes_ + more_bytes > limits_.bytes;
}

// A source that caches reuses memory in the order of the stream that it was allocated on.
inline bool Allocator::is_done(Storage& storage) noexcept {
  if (storage.uses_.none()) return true;
  if (storage.is_lost()) [[unlikely]]
    return !lost_work_may_run_;
  return limits_.caches ? storage.idle() : storage.idle_elsewhere();
}

void Allocator::recycle(Storage* storage) noexcept {
  if (storage->is_borrowed()) [[unlikely]]
    return give_back_borrowed(static_cast<BorrowedStorage*>(storage));
  std::shared_ptr<void> last;  // may take this allocator along when it goes, after the lock
  Storage* surplus = storage;
  {
    std::scoped_lock guard(lock_);
    last = count_release(storage->bytes_);
    if (!is_done(*storage)) [[unlikely]] {
      storage->next_ = pending_;
      pending_ = storage;
      return;
    }
    storage->next_ = nullptr;
    if (limits_.caches && !storage->is_lost()) [[likely]] {
      put_free(storage);
      if (held_bytes_ - used_bytes_ <= limits_.cached_bytes) [[likely]]
        return;
      surplus = take_surplus();
    }
    if (!last) last = alive_;  // others may let go of theirs meanwhile
  }
  give_back(surplus);
}

// Large blocks first: fewer of them have to be asked for again.
Storage* Allocator::take_surplus() noexcept {
  const std::size_t cached = held_bytes_ - used_bytes_;
  std::size_t taken = 0;
  Storage* list = nullptr;
  for (auto head = free_.rbegin(); head != free_.rend(); ++head) {
    while (*head && cached - taken > limits_.cached_bytes) {
      Storage* storage = *head;
      *head = storage->next_;
      storage->next_ = list;
      list = storage;
      taken += storage->bytes_;
    }
  }
  return list;
}

Storage* Allocator::take_completed() {
  Storage* list = nullptr;
  for (Storage** link = &pending_; Storage* storage = *link;) {
    if (!is_done(*storage)) {
      link = &storage->next_;
      continue;
    }
    *link = storage->next_;
    storage->next_ = list;
    list = storage;
  }
  return list;
}

void Allocator::keep_completed() {
  Storage* list = take_completed();
  while (Storage* storage = list) {
    list = storage->next_;
    if (!storage->is_lost()) {
      put_free(storage);
      continue;
    }
    storage->next_ = pending_;  // goes back with the next that do
    pending_ = storage;
  }
}

void Allocator::lose_all() {
  std::scoped_lock guard(lock_);
  lose_storages();
  lost_work_may_run_ = true;
}

void Allocator::end_lost_work() {
  std::scoped_lock guard(lock_);
  lost_work_may_run_ = false;
}

// Takes no turn at reclaiming: who has it may wait for the device, which loses this meanwhile.
void Allocator::give_back_lost() {
  give_back_completed();
  give_back_free();
  source_.trim_blocks();
}

void Allocator::report_lost() const {
  throw Error(ErrorKind::device_lost,
              fmt::format("{}: the device failed and lost what this tensor held; it has recovered "
                          "since: make the tensor again",
                          device_name_))
      .set_device(device_name_);
}

void Allocator::give_back_completed() {
  Storage* list = nullptr;
  {
    std::scoped_lock guard(lock_);
    list = take_completed();
  }
  give_back(list);
}

std::size_t Allocator::give_back(Storage* list) noexcept {
  std::size_t bytes = 0;
  while (Storage* storage = list) {
    list = storage->next_;
    bytes += storage->bytes_;
    source_.release_block(storage->handle_);
    std::scoped_lock guard(lock_);
    held_bytes_ -= storage->bytes_;  // not before: the limit counts what is held
    delete storage;
  }
  return bytes;
}

std::size_t Allocator::settle_pending() {
  Storage* list = nullptr;
  {
    std::scoped_lock guard(lock_);
    std::swap(list, pending_);
  }
  for (Storage* storage = list; storage; storage = storage->next_) storage->settle();
  return give_back(list);
}

std::size_t Allocator::give_back_free() {
  Storage* list = nullptr;
  {
    std::scoped_lock guard(lock_);
    for (Storage*& head : free_) {
      while (Storage* storage = head) {
        head = storage->next_;
        storage->next_ = list;
        list = storage;
      }
    }
  }
  return give_back(list);
}

std::size_t Allocator::reclaim_in_turn() {
  const std::size_t bytes = settle_pending() + give_back_free();
  source_.trim_blocks();  // does not count: who waits for memory would ask for ever
  return bytes;
}

std::size_t Allocator::reclaim() {
  const std::scoped_lock turn(reclaiming_);
  return reclaim_in_turn();
}

std::size_t Allocator::trim() {
  const std::scoped_lock turn(reclaiming_);
  const std::size_t given_back = give_back_free(), trimmed = source_.trim_blocks();
  return limits_.caches ? given_back : trimmed;
}

MemoryStatistics Allocator::statistics() const {
  std::scoped_lock guard(lock_);
  return {.used_bytes = used_bytes_,
          .peak_bytes = peak_bytes_,
          .cached_bytes = held_bytes_ - used_bytes_,
          .allocations = allocations_,
          .reuses = allocations_ - misses_};
}

}  // namespace switchyard
