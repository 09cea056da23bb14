#include "plugin_loader/isolation/arena.hpp"

#include <switchyard/plugin/division.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
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
  bytes = std::max<std::size_t>(sy::ceil_div(bytes, page), 1) * page;
  alignment = std::max(alignment, page);
  const std::lock_guard lock(guard_);
  if (std::byte* const block = take_kept(bytes, alignment)) return block;
  if (std::byte* const block = take_free(bytes, alignment)) return block;
  return give_back_kept(0) > 0 ? take_free(bytes, alignment) : nullptr;
}

std::byte* Arena::take_kept(std::size_t bytes, std::size_t alignment) {
  const auto fits = [&](const Block& block) {
    return block.bytes >= bytes && block.bytes <= 2 * bytes &&
           aligned(block.first, alignment) == block.first;
  };
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(), fits);
  if (found == kept_.rend()) return nullptr;
  const Block block = *found;
  kept_.erase(std::next(found).base());
  kept_bytes_ -= block.bytes;
  used_[block.first] = block.bytes;
  return block.first;
}

std::byte* Arena::take_free(std::size_t bytes, std::size_t alignment) {
  for (const auto& [first, size] : free_) {
    std::byte* const block = aligned(first, alignment);
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
  const Block ended = {block, found->second};
  used_.erase(found);
  if (at_once) return give_back(ended);
  kept_.push_back(ended);
  kept_bytes_ += ended.bytes;
  give_back_kept(kMostKept);
}

void Arena::give_back(const Block& block) noexcept {
  memory_.discard(block.first, block.bytes);
  std::size_t bytes = block.bytes;
  const auto after = free_.find(block.first + bytes);
  if (after != free_.end()) {
    bytes += after->second;
    free_.erase(after);
  }
  const auto next = free_.lower_bound(block.first);
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == block.first) {
    std::prev(next)->second += bytes;
  } else {
    free_[block.first] = bytes;
  }
}

std::size_t Arena::give_back_kept(std::size_t most) noexcept {
  std::size_t given = 0;
  while (kept_bytes_ > most) {
    const Block oldest = kept_.front();
    kept_.pop_front();
    kept_bytes_ -= oldest.bytes;
    given += oldest.bytes;
    give_back(oldest);
  }
  return given;
}

std::size_t Arena::trim() noexcept {
  const std::lock_guard lock(guard_);
  return give_back_kept(0);
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
