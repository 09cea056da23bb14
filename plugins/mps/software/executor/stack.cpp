#include "software/executor/stack.hpp"

#include <sys/mman.h>

#include <cstdint>
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
  return first + before;
}

}  // namespace

Stack::Stack(msl::Group* group, size_t number) : begin_(map_aligned()) {
  mprotect(begin_, page, PROT_NONE);
  allow_access(bottom(), msl::stack_bytes - page);  // an earlier stack may have lain here
  *reinterpret_cast<msl::Group**>(begin_ + msl::group_slot) = group;
  top_ = begin_ + msl::group_slot - number * 320 % 8192 / 64 * 64;
}

Stack::~Stack() {
  allow_access(bottom(), msl::stack_bytes - page);
  munmap(begin_, msl::stack_bytes);
}

std::byte* Stack::bottom() const { return begin_ + page; }

}  // namespace mps::software
