#include "memory.hpp"

#include <algorithm>
#include <cstring>

#include "behaviour.hpp"
#include "switchyard/plugin/guard.hpp"

namespace fake {

sy_storage Memory::allocate(uint64_t size_bytes, const Stream* home) {
  const std::lock_guard lock(mutex_);
  if (failed_allocations_ < behaviour.failing_allocations) {
    if (behaviour.failing_allocations != UINT32_MAX) ++failed_allocations_;
    throw sy::out_of_memory("the fake device has no ", size_bytes, " bytes");
  }
  if (lies(Lie::same_storage)) size_bytes = std::max<uint64_t>(size_bytes, uint64_t{1} << 22);
  if (lies(Lie::same_storage) && !blocks_.empty()) return blocks_.begin()->first;
  if (lies(Lie::allocates_anything)) size_bytes = std::min<uint64_t>(size_bytes, uint64_t{1} << 24);
  if (size_bytes > uint64_t{1} << 40) throw sy::out_of_memory("not ", size_bytes, " bytes");
  const uint64_t shift = behaviour.misaligns ? 1 : 0;
  Block block{std::shared_ptr<char>(new char[size_bytes + shift](), std::default_delete<char[]>()),
              size_bytes, home};
  const bool is_address = behaviour.memory_kind == SY_MEMORY_ADDRESS;
  const sy_storage handle =
      is_address ? reinterpret_cast<sy_storage>(block.bytes.get() + shift) : ++last_number_;
  blocks_.emplace(handle, std::move(block));
  return handle;
}

sy_storage Memory::adopt(void* pointer, uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  const auto let_go = [size_bytes](char* bytes) {
    if (lies(Lie::spoils_imports)) std::memset(bytes, 0xff, size_bytes);
  };
  blocks_.emplace(++last_number_, Block{std::shared_ptr<char>(static_cast<char*>(pointer), let_go),
                                        size_bytes, nullptr});
  return last_number_;
}

char* Memory::copy_of(sy_storage storage) {
  const std::lock_guard lock(mutex_);
  const Block& block = blocks_.at(storage);
  std::shared_ptr<char> bytes(new char[block.size_bytes], std::default_delete<char[]>());
  std::memcpy(bytes.get(), block.bytes.get(), block.size_bytes);
  return spoiled_.emplace_back(Block{std::move(bytes), block.size_bytes, nullptr}).bytes.get();
}

void Memory::forget() {
  const std::lock_guard lock(mutex_);
  if (lies(Lie::reuses_numbers)) last_number_ = 0;
  const bool forgets_all = lies(Lie::forgets_storages) || lies(Lie::reuses_numbers);
  if (!forgets_all) forgotten_.merge(blocks_);
  blocks_.clear();
}

void Memory::release(sy_storage storage) {
  const std::lock_guard lock(mutex_);
  if (forgotten_.erase(storage) != 0) return;
  if (lies(Lie::same_storage)) return;
  const auto found = blocks_.find(storage);
  if (found == blocks_.end()) throw sy::invalid("no storage ", storage, " to release");
  if ((behaviour.device_flags & SY_DEVICE_CACHES_MEMORY) != 0) {
    std::memset(found->second.bytes.get(), 0xff, found->second.size_bytes);
    spoiled_.push_back(std::move(found->second));
  }
  if (lies(Lie::counts_nothing_back)) released_bytes_ += found->second.size_bytes;
  if (lies(Lie::never_releases)) spoiled_.push_back(std::move(found->second));
  blocks_.erase(found);
}

const Stream* Memory::home_of(sy_storage storage) const {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(storage);
  return found == blocks_.end() ? nullptr : found->second.home;
}

void Memory::forget_home(const Stream& home) {
  const std::lock_guard lock(mutex_);
  for (auto& [storage, block] : blocks_) {
    if (block.home == &home) block.home = nullptr;
  }
}

char* Memory::at(sy_storage storage, uint64_t offset_bytes, uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = blocks_.find(storage);
  if (found == blocks_.end()) throw sy::invalid("no storage ", storage);
  const Block& block = found->second;
  if (offset_bytes > block.size_bytes || size_bytes > block.size_bytes - offset_bytes) {
    throw sy::invalid("bytes ", offset_bytes, " to ", offset_bytes + size_bytes,
                      " leave a storage of ", block.size_bytes);
  }
  return block.bytes.get() + offset_bytes;
}

char* Memory::at(sy_storage storage, uint64_t offset_bytes, sy_dtype dtype, sy::Extents shape,
                 const int64_t* strides) {
  if (sy::element_count(shape) == 0) return nullptr;
  const sy::ByteRange range = sy::byte_range(dtype, shape, strides);
  const auto first = static_cast<uint64_t>(static_cast<int64_t>(offset_bytes) + range.first);
  return at(storage, first, static_cast<uint64_t>(range.end - range.first)) - range.first;
}

uint64_t Memory::used_bytes() const {
  const std::lock_guard lock(mutex_);
  uint64_t used = released_bytes_;
  for (const auto& entry : blocks_) used += entry.second.size_bytes;
  return used;
}

}  // namespace fake
