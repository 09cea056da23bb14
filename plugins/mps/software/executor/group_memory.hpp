// The threadgroup memory of one threadgroup. Each variable is a block of its own, so that a
// sanitizer sees its bounds; before each group all is filled with 0xFF, which floats read as NaN.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mps::software {

class GroupMemory {
 public:
  // Forgets all and gives out the memory of [[threadgroup(i)]].
  void* const* begin(const std::vector<uint32_t>& argument_bytes);
  // The block of a `threadgroup` variable, or null if too much would be in use.
  void* variable(uint32_t slot, size_t bytes);
  void poison();
  size_t bytes() const { return bytes_; }

 private:
  struct Block {
    std::unique_ptr<std::byte, void (*)(void*)> memory{nullptr, nullptr};
    size_t bytes = 0;
  };
  Block make(size_t bytes);

  std::vector<Block> arguments_;
  std::vector<void*> pointers_;
  std::vector<Block> variables_;
  size_t bytes_ = 0;
};

}  // namespace mps::software
