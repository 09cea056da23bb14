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
    return block.mapped() >= bytes && block.mapped() <= 2 * bytes &&
           aligned(block.key(), alignment) == block.key();
  };
  const auto found = std::find_if(kept_.rbegin(), kept_.rend(), fits);
  if (found == kept_.rend()) return nullptr;
  Block block = std::move(*found);
  kept_.erase(std::next(found).base());
  kept_bytes_ -= block.mapped();
  return used_.insert(std::move(block)).position->first;
}

std::byte* Arena::take_free(std::size_t bytes, std::size_t alignment) {
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    std::byte* const block = aligned(range->first, alignment);
    const auto before = static_cast<std::size_t>(block - range->first);
    if (before > range->second || range->second - before < bytes) continue;
    const std::size_t after = range->second - before - bytes;
    Blocks taken = {{block, bytes}}, rest;  // what can fail comes first
    if (after > 0) rest[block + bytes] = after;
    if (before > 0)
      range->second = before;
    else
      free_.erase(range);
    free_.merge(rest);
    used_.merge(taken);
    return block;
  }
  return nullptr;
}

void Arena::release(std::byte* block, bool at_once) noexcept {
  const std::lock_guard lock(guard_);
  const auto found = used_.find(block);
  if (found == used_.end()) return;
  Block ended = used_.extract(found);
  const std::size_t bytes = ended.mapped();
  if (at_once) return give_back(std::move(ended));
  try {
    kept_.push_back(std::move(ended));
  } catch (const std::bad_alloc&) {
    return give_back(std::move(ended));
  }
  kept_bytes_ += bytes;
  give_back_kept(kMostKept);
}

void Arena::give_back(Block block) noexcept {
  memory_.discard(block.key(), block.mapped());
  const auto after = free_.find(block.key() + block.mapped());
  if (after != free_.end()) {
    block.mapped() += after->second;
    free_.erase(after);
  }
  const auto next = free_.lower_bound(block.key());
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == block.key()) {
    std::prev(next)->second += block.mapped();
  } else {
    free_.insert(std::move(block));
  }
}

std::size_t Arena::give_back_kept(std::size_t most) noexcept {
  std::size_t given = 0;
  while (kept_bytes_ > most) {
    Block oldest = std::move(kept_.front());
    kept_.pop_front();
    kept_bytes_ -= oldest.mapped();
    given += oldest.mapped();
    give_back(std::move(oldest));
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
