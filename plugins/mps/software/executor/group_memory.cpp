#include "software/executor/group_memory.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "software/executor/call.hpp"

namespace mps::software {

GroupMemory::Block GroupMemory::make(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, 64, bytes) != 0) throw std::bad_alloc();
  bytes_ += bytes;
  std::memset(memory, 0xff, bytes);
  return {{static_cast<std::byte*>(memory), std::free}, bytes};
}

void* const* GroupMemory::begin(const std::vector<uint32_t>& argument_bytes) {
  arguments_.clear();
  pointers_.clear();
  variables_.clear();
  bytes_ = 0;
  for (const uint32_t bytes : argument_bytes) {
    arguments_.push_back(bytes > 0 ? make(bytes) : Block{});
    pointers_.push_back(arguments_.back().memory.get());
  }
  return pointers_.data();
}

void* GroupMemory::variable(uint32_t slot, size_t bytes) {
  if (slot >= variables_.size()) variables_.resize(slot + 1);
  if (!variables_[slot].memory) {
    if (bytes_ + bytes > max_group_memory) return nullptr;
    variables_[slot] = make(bytes);
  }
  return variables_[slot].memory.get();
}

void GroupMemory::poison() {
  for (auto* blocks : {&arguments_, &variables_}) {
    for (const Block& block : *blocks) {
      if (block.memory) std::memset(block.memory.get(), 0xff, block.bytes);
    }
  }
}

}  // namespace mps::software
