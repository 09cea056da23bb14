#include "plugin_loader/isolation/arena.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <utility>

namespace switchyard::isolation {
namespace {

std::byte* aligned(std::byte* pointer, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  return pointer + (alignment - address % alignment) % alignment;
}

}  // namespace

std::byte* Arena::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t page = page_bytes();
  if (bytes > memory_.bytes()) return nullptr;
  bytes = std::max<std::size_t>((bytes + page - 1) / page, 1) * page;
  const std::lock_guard lock(guard_);
  for (const auto& [first, size] : free_) {
    std::byte* const block = aligned(first, std::max(alignment, page));
    const auto before = static_cast<std::size_t>(block - first);
    if (before > size || size - before < bytes) continue;
    std::byte* const start = first;
    const std::size_t after = size - before - bytes;
    free_.erase(start);
    if (before > 0) free_[start] = before;
    if (after > 0) free_[block + bytes] = after;
    used_[block] = bytes;
    return block;
  }
  return nullptr;
}

void Arena::release(std::byte* block, bool at_once) noexcept {
  const std::lock_guard lock(guard_);
  const auto found = used_.find(block);
  if (found == used_.end()) return;
  std::size_t bytes = found->second;
  used_.erase(found);
  if (at_once)
    memory_.discard(block, bytes);
  else
    kept_ += bytes;
  const auto after = free_.find(block + bytes);
  if (after != free_.end()) {
    bytes += after->second;
    free_.erase(after);
  }
  auto before = free_.lower_bound(block);
  if (before != free_.begin() && std::prev(before)->first + std::prev(before)->second == block) {
    std::prev(before)->second += bytes;
  } else {
    free_[block] = bytes;
  }
  if (kept_ > kMostKept) discard_free();
}

std::size_t Arena::discard_free() noexcept {
  for (const auto& [first, bytes] : free_) memory_.discard(first, bytes);
  return std::exchange(kept_, 0);
}

std::size_t Arena::trim() noexcept {
  const std::lock_guard lock(guard_);
  return discard_free();
}

std::size_t Arena::used_bytes() const noexcept {
  const std::lock_guard lock(guard_);
  std::size_t bytes = 0;
  for (const auto& [first, size] : used_) bytes += size;
  return bytes;
}

ArenaBlock::ArenaBlock(Arena& arena, std::size_t bytes)
    : arena_(&arena), data_(arena.allocate(bytes)), bytes_(bytes) {
  if (data_ == nullptr) throw std::bad_alloc();
}

ArenaBlock::ArenaBlock(ArenaBlock&& other) noexcept
    : arena_(other.arena_), data_(std::exchange(other.data_, nullptr)), bytes_(other.bytes_) {}

ArenaBlock& ArenaBlock::operator=(ArenaBlock&& other) noexcept {
  std::swap(arena_, other.arena_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace switchyard::isolation
