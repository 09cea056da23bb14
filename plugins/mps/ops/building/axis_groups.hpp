// Shapes, and axes that follow each other and are treated alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mps::axis_groups {

using Shape = std::vector<int64_t>;

inline constexpr size_t most_axes = 4;

inline int64_t product_of(const Shape& shape, size_t begin, size_t end) {
  int64_t product = 1;
  for (size_t i = begin; i < end; ++i) product *= shape[i];
  return product;
}

inline int64_t count_of(const Shape& shape) { return product_of(shape, 0, shape.size()); }

// [what is before the axis, the axis, what is after it].
inline Shape around(const Shape& shape, size_t axis) {
  return {product_of(shape, 0, axis), shape[axis], product_of(shape, axis + 1, shape.size())};
}

// With extents of 1 before it, as broadcasting wants.
inline Shape aligned(const Shape& shape, size_t rank) {
  Shape result(rank - shape.size(), 1);
  result.insert(result.end(), shape.begin(), shape.end());
  return result;
}

// Axes from `begin` to `end`, those of extent 1 between them included.
struct Group {
  size_t begin;
  size_t end;
  uint32_t kind;
};

// Axes of extent 1 are in no group of their own.
template <typename KindOf>
std::vector<Group> groups_of(const Shape& shape, KindOf&& kind_of) {
  std::vector<Group> groups;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    const uint32_t kind = kind_of(i);
    if (!groups.empty() && groups.back().kind == kind) {
      groups.back().end = i + 1;
    } else {
      groups.push_back({i, i + 1, kind});
    }
  }
  return groups;
}

inline Shape extents_of(const std::vector<Group>& groups, const Shape& shape) {
  Shape extents;
  for (const Group& group : groups) extents.push_back(product_of(shape, group.begin, group.end));
  if (extents.empty()) extents.push_back(1);
  return extents;
}

}  // namespace mps::axis_groups
