#include "runtime/heap_space.hpp"

#include <algorithm>
#include <iterator>

namespace mps {

HeapSpace::HeapSpace(size_t bytes) : bytes_(bytes), ranges_{{0, bytes}} {}

std::optional<size_t> HeapSpace::take(size_t bytes) {
  auto best = ranges_.end();
  for (auto range = ranges_.begin(); range != ranges_.end(); ++range) {
    if (range->second < bytes) continue;
    if (best == ranges_.end() || range->second < best->second) best = range;
  }
  if (best == ranges_.end()) return std::nullopt;
  const auto [offset, size] = *best;
  ranges_.erase(best);
  if (size > bytes) ranges_.emplace(offset + bytes, size - bytes);
  return offset;
}

void HeapSpace::give(size_t offset, size_t bytes) {
  const auto next = ranges_.lower_bound(offset);
  if (next != ranges_.end() && offset + bytes == next->first) {
    bytes += next->second;
    ranges_.erase(next);
  }
  const auto after = ranges_.lower_bound(offset);
  if (after != ranges_.begin()) {
    const auto previous = std::prev(after);
    if (previous->first + previous->second == offset) {
      previous->second += bytes;
      return;
    }
  }
  ranges_.emplace(offset, bytes);
}

bool HeapSpace::is_free() const { return ranges_.size() == 1 && ranges_.begin()->second == bytes_; }

size_t HeapSpace::largest_range() const {
  size_t largest = 0;
  for (const auto& [offset, size] : ranges_) largest = std::max(largest, size);
  return largest;
}

}  // namespace mps
