// The memory of a fiber's stack: msl::stack_bytes, aligned to that, below it a page that nobody may
// touch.
#pragma once

#include <cstddef>

#include "software/shim/interface.h"

namespace mps::software {

class Stack {
 public:
  // `number` shifts the first frame a little: stacks that all begin at the same offset would fight
  // for the same lines of the cache.
  Stack(msl::Group* group, size_t number);
  ~Stack();
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  std::byte* top() const { return top_; }
  std::byte* bottom() const;  // above the guard page
  size_t bytes() const { return static_cast<size_t>(top_ - bottom()); }

 private:
  std::byte* begin_;
  std::byte* top_;
};

}  // namespace mps::software
