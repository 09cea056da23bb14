// Transposing in at most four axes.
#include <algorithm>

#include "ops/building/axis_groups.hpp"
#include "ops/building/folded_graph.hpp"

namespace mps {
namespace {

using namespace axis_groups;

// Axes that stay together: where the first of them stands in the operand, and their extent.
struct Part {
  size_t first;
  int64_t extent;
};
using Parts = std::vector<Part>;

// In the order of the result.
Parts parts_of(const Shape& shape, const seam::Axes& axes) {
  Parts parts;
  size_t last = 0;
  for (const int64_t number : axes.axes) {
    const auto axis = static_cast<size_t>(number);
    if (shape[axis] == 1) continue;
    const bool stays = !parts.empty() && last < axis && product_of(shape, last + 1, axis) == 1;
    if (!stays) parts.push_back({axis, 1});
    parts.back().extent *= shape[axis];
    last = axis;
  }
  return parts;
}

int64_t extent_of(const Parts& parts, size_t begin, size_t end) {
  int64_t extent = 1;
  for (size_t i = begin; i < end; ++i) extent *= parts[i].extent;
  return extent;
}

Shape extents_of(const Parts& parts) {
  Shape extents;
  for (const Part& part : parts) extents.push_back(part.extent);
  return extents;
}

}  // namespace

// More than four parts go to their positions one after the other.
uint32_t FoldedGraph::transpose(uint32_t operand, const seam::Axes& axes) {
  const Parts wanted = parts_of(shape_of(operand), axes);
  Parts current = wanted;
  std::sort(current.begin(), current.end(),
            [](const Part& one, const Part& other) { return one.first < other.first; });
  const auto position_of = [&](const Part& part) {
    return static_cast<size_t>(
        std::find_if(current.begin(), current.end(),
                     [&](const Part& one) { return one.first == part.first; }) -
        current.begin());
  };
  uint32_t node = values_[operand].node;
  if (wanted.size() < 2) return node;
  if (wanted.size() <= most_axes) {
    seam::Axes order;
    for (const Part& part : wanted) order.axes.push_back(static_cast<int64_t>(position_of(part)));
    return like(seam::Operation::transpose, extents_of(wanted), reshaped(node, extents_of(current)),
                order);
  }
  for (size_t position = 0; position < wanted.size(); ++position) {
    const size_t at = position_of(wanted[position]);
    if (at == position) continue;
    const Shape from = {extent_of(current, 0, position), extent_of(current, position, at),
                        current[at].extent, extent_of(current, at + 1, current.size())};
    node = like(seam::Operation::transpose, {from[0], from[2], from[1], from[3]},
                reshaped(node, from), seam::Axes{{0, 2, 1, 3}});
    const auto begin = current.begin();
    std::rotate(begin + static_cast<std::ptrdiff_t>(position),
                begin + static_cast<std::ptrdiff_t>(at),
                begin + static_cast<std::ptrdiff_t>(at + 1));
  }
  return node;
}

}  // namespace mps
