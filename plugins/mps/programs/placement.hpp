// Where intermediates lie in a program's workspace: those that live at the same time apart.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mps {

// Written by entry `first` of a program, last read by entry `last`.
struct Lifetime {
  uint32_t first = 0;
  uint32_t last = 0;
  uint64_t bytes = 0;
};

struct Placement {
  std::vector<uint64_t> offsets;  // multiples of the alignment
  uint64_t bytes = 0;
};

Placement place(std::span<const Lifetime> lifetimes, uint64_t alignment);

}  // namespace mps
