#include "software/executor/stack.hpp"

#include <sys/mman.h>

#include <array>
#include <cstdint>
#include <mutex>
#include <new>

#include "software/executor/sanitizers.hpp"

namespace mps::software {
namespace {

constexpr size_t page = 4096;

// Twice the size holds an aligned part; the rest goes back.
std::byte* map_aligned() {
  constexpr size_t bytes = msl::stack_bytes;
  void* const mapped = mmap(nullptr, 2 * bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto* const first = static_cast<std::byte*>(mapped);
  const size_t before = (bytes - reinterpret_cast<uintptr_t>(first) % bytes) % bytes;
  if (before > 0) munmap(first, before);
  munmap(first + before + bytes, bytes - before);
  mprotect(first + before, page, PROT_NONE);
  return first + before;
}

// The memory of stacks that ended, for the next: to map and unmap it takes longer than most groups
// run. Nobody waits for the lock, which a forked child may have copied while it was held.
class EndedStacks {
 public:
  ~EndedStacks() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock) return;
    while (count_ > 0) munmap(begins_[--count_], msl::stack_bytes);
    is_over_ = true;
  }

  std::byte* take() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock && count_ > 0 ? begins_[--count_] : nullptr;
  }

  // False if there is no place for it.
  bool keep(std::byte* begin) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock || is_over_ || count_ == begins_.size()) return false;
    begins_[count_++] = begin;
    return true;
  }

 private:
  std::mutex mutex_;
  std::array<std::byte*, 2048> begins_{};  // two groups of the most threads
  size_t count_ = 0;
  bool is_over_ = false;  // stacks of other threads may end after the program's static objects
};

constinit EndedStacks ended_stacks;

std::byte* begin_of_stack() {
  std::byte* const begin = ended_stacks.take();
  return begin ? begin : map_aligned();
}

}  // namespace

Stack::Stack(msl::Group* group, size_t number) : begin_(begin_of_stack()) {
  allow_access(bottom(), msl::stack_bytes - page);  // an earlier stack may have lain here
  *reinterpret_cast<msl::Group**>(begin_ + msl::group_slot) = group;
  top_ = begin_ + msl::group_slot - number * 320 % 8192 / 64 * 64;
}

Stack::~Stack() {
  allow_access(bottom(), msl::stack_bytes - page);
  if (!ended_stacks.keep(begin_)) munmap(begin_, msl::stack_bytes);
}

std::byte* Stack::bottom() const { return begin_ + page; }

}  // namespace mps::software
