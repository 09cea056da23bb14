#include "programs/placement.hpp"

#include <algorithm>
#include <numeric>

#include "switchyard/plugin/division.hpp"

namespace mps {
namespace {

// An entry reads its inputs while it writes its outputs, so that they may not share either.
bool meet(const Lifetime& a, const Lifetime& b) { return a.first <= b.last && b.first <= a.last; }

struct Range {
  uint64_t begin;
  uint64_t end;
};

// The lowest gap among `taken`, in order of their beginnings.
uint64_t first_gap(const std::vector<Range>& taken, uint64_t bytes) {
  uint64_t offset = 0;
  for (const Range& range : taken) {
    if (offset + bytes <= range.begin) break;
    offset = std::max(offset, range.end);
  }
  return offset;
}

}  // namespace

// The largest first: what is small finds room between them.
Placement place(std::span<const Lifetime> lifetimes, uint64_t alignment) {
  std::vector<size_t> order(lifetimes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return lifetimes[a].bytes > lifetimes[b].bytes; });
  const auto aligned = [&](uint64_t bytes) { return sy::ceil_div(bytes, alignment) * alignment; };
  Placement placement;
  placement.offsets.resize(lifetimes.size());
  std::vector<size_t> placed;
  for (const size_t i : order) {
    std::vector<Range> taken;
    for (const size_t other : placed) {
      if (!meet(lifetimes[i], lifetimes[other])) continue;
      const uint64_t begin = placement.offsets[other];
      taken.push_back({begin, begin + aligned(lifetimes[other].bytes)});
    }
    std::sort(taken.begin(), taken.end(),
              [](const Range& a, const Range& b) { return a.begin < b.begin; });
    placement.offsets[i] = first_gap(taken, aligned(lifetimes[i].bytes));
    placement.bytes = std::max(placement.bytes, placement.offsets[i] + aligned(lifetimes[i].bytes));
    placed.push_back(i);
  }
  return placement;
}

}  // namespace mps
