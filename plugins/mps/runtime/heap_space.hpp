// The free ranges of one heap, by offset; neighbours are always merged.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

namespace mps {

class HeapSpace {
 public:
  explicit HeapSpace(size_t bytes);

  // The offset of `bytes` out of the smallest range that holds them; nothing if none does. All
  // sizes are multiples of one alignment, so offsets are too.
  std::optional<size_t> take(size_t bytes);
  void give(size_t offset, size_t bytes);

  bool is_free() const;
  size_t largest_range() const;

 private:
  const size_t bytes_;
  std::map<size_t, size_t> ranges_;  // offset -> size
};

}  // namespace mps
