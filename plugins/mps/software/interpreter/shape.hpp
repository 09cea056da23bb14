// Shapes: counts, strides in elements, broadcasting as NumPy does, and one walk over them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mps::software::interpreter {

using Shape = std::vector<int64_t>;

// The product of the extents, which must not overflow.
int64_t count_of(std::span<const int64_t> shape);

std::string text_of(const Shape& shape);  // "[2, 3]"

Shape strides_of(const Shape& shape);  // contiguous

// Of a contiguous tensor of shape `from` read as `to`, which it must broadcast to.
Shape broadcast_strides(const Shape& from, const Shape& to);

// The shape that both broadcast to; nothing if there is none.
std::optional<Shape> broadcast_shape(const Shape& x, const Shape& y);

// A shape seen along one axis: [before, extent, after].
struct Lane {
  int64_t before;
  int64_t extent;
  int64_t after;
};
Lane lane_of(const Shape& shape, int64_t axis);

// Walks `shape` in order, row by row along its last axis. row(offsets) gets the offset of each of
// N operands, of the given strides, at the row's first element. A rank of 0 is one row of one.
template <size_t N, typename Visit>
void for_each_row(const Shape& shape, const std::array<Shape, N>& strides, Visit row) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  const size_t outer = shape.empty() ? 0 : shape.size() - 1;
  std::vector<int64_t> index(outer, 0);
  std::array<int64_t, N> offsets{};
  for (;;) {
    row(offsets);
    size_t axis = outer;
    for (; axis > 0; --axis) {
      const size_t a = axis - 1;
      const bool carries = ++index[a] == shape[a];
      for (size_t i = 0; i < N; ++i) {
        offsets[i] += carries ? -strides[i][a] * (shape[a] - 1) : strides[i][a];
      }
      if (!carries) break;
      index[a] = 0;
    }
    if (axis == 0) return;
  }
}

// What for_each_row leaves to its caller: how long a row is, and how an operand advances on it.
inline int64_t row_length(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }
inline int64_t row_step(const Shape& strides) { return strides.empty() ? 0 : strides.back(); }

}  // namespace mps::software::interpreter
