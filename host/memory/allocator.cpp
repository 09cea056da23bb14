#include "memory/allocator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <mutex>
#include <switchyard/error.hpp>

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
  if (!head) [[unlikely]]
    collect_completed();
  Storage* storage = head;
  if (!storage) [[unlikely]] {
    ++misses_;
    return nullptr;
  }
  head = storage->next_;
  count_use(storage->bytes_);
  return storage;
}

StorageRef Allocator::allocate(std::size_t bytes) {
  if (bytes > (std::size_t{1} << 46)) [[unlikely]] {
    throw Error(
        ErrorKind::out_of_memory,
        fmt::format("{}: a tensor of {} bytes is larger than any memory", device_name_, bytes));
  }
  const std::uint32_t size_class = class_of(bytes);
  Storage* storage = pop_free(size_class);
  return StorageRef::first(storage ? storage : new_block(size_class));
}

Storage* Allocator::new_block(std::uint32_t size_class) {
  const std::size_t bytes = class_bytes(size_class);
  std::uint64_t handle = 0;
  try {
    handle = allocate_within_limit(bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::out_of_memory) throw;
    reclaim();
    handle = allocate_within_limit(bytes);
  }
  std::scoped_lock guard(lock_);
  reserved_bytes_ -= bytes;
  held_bytes_ += bytes;
  count_use(bytes);
  return new Storage(*this, handle, bytes, size_class);
}

std::uint64_t Allocator::allocate_within_limit(std::size_t bytes) {
  reserve(bytes);
  try {
    return source_.allocate_block(bytes);
  } catch (...) {
    std::scoped_lock guard(lock_);
    reserved_bytes_ -= bytes;
    throw;
  }
}

void Allocator::reserve(std::size_t bytes) {
  std::scoped_lock guard(lock_);
  if (limits_.bytes != 0 && held_bytes_ + reserved_bytes_ + bytes > limits_.bytes) {
    throw Error(ErrorKind::out_of_memory,
                fmt::format("{}: {} more bytes would pass the limit of {} bytes; raise "
                            "host.memory_limit or use smaller inputs",
                            device_name_, bytes, limits_.bytes));
  }
  reserved_bytes_ += bytes;
}

void Allocator::recycle(Storage* storage) noexcept {
  std::shared_ptr<void> last;  // may take this allocator along when it goes, after the lock
  if (!limits_.caches) {
    // The source's own cache is ordered by its streams.
    source_.release_block(storage->handle_);
    std::scoped_lock guard(lock_);
    last = count_release(storage->bytes_);
    held_bytes_ -= storage->bytes_;
    delete storage;
    return;
  }
  std::scoped_lock guard(lock_);
  last = count_release(storage->bytes_);
  if (storage->uses_.empty() || storage->idle()) [[likely]] {
    put_free(storage);
  } else {
    storage->next_ = pending_;
    pending_ = storage;
  }
}

void Allocator::collect_completed() {
  for (Storage** link = &pending_; Storage* storage = *link;) {
    if (!storage->idle()) {
      link = &storage->next_;
      continue;
    }
    *link = storage->next_;
    put_free(storage);
  }
}

void Allocator::settle_pending() {
  Storage* list = nullptr;
  {
    std::scoped_lock guard(lock_);
    std::swap(list, pending_);
  }
  while (Storage* storage = list) {
    list = storage->next_;
    storage->settle();
    std::scoped_lock guard(lock_);
    put_free(storage);
  }
}

std::size_t Allocator::reclaim() {
  settle_pending();
  return trim();
}

std::size_t Allocator::trim() {
  Storage* list = nullptr;
  std::size_t bytes = 0;
  {
    std::scoped_lock guard(lock_);
    for (Storage*& head : free_) {
      while (Storage* storage = head) {
        head = storage->next_;
        storage->next_ = list;
        list = storage;
        bytes += storage->bytes_;
      }
    }
  }
  while (Storage* storage = list) {
    list = storage->next_;
    source_.release_block(storage->handle_);
    std::scoped_lock guard(lock_);
    held_bytes_ -= storage->bytes_;  // not before: the limit counts what is held
    delete storage;
  }
  source_.trim_blocks();
  return bytes;
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
