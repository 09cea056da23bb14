// A window that slides over a plane. The finer plane is what it slides over, the coarser one has an
// element for each of its positions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "seam/graph.hpp"
#include "switchyard/plugin/division.hpp"

namespace mps::software::interpreter {

struct Plane {
  int64_t height;
  int64_t width;
  int64_t count() const { return height * width; }
};

// Positions on one axis, from `first` up to `end`, where a tap of the window is on the plane and
// not in its padding.
struct Positions {
  int64_t first;
  int64_t end;
};

// `shift`: where the tap is, on the finer axis, for place 0.
inline Positions positions_on(int64_t shift, int64_t stride, int64_t finer, int64_t coarser) {
  const int64_t first = shift >= 0 ? 0 : sy::ceil_div(-shift, stride);
  const int64_t end = shift >= finer ? 0 : (finer - 1 - shift) / stride + 1;
  return {first, std::min(end, coarser)};
}

inline int64_t tap_shift(const seam::Window& window, size_t axis, int64_t tap) {
  return tap * window.dilations[axis] - window.padding_before[axis];
}

// For one tap of the window, row by row: visit(coarser, finer, length) gets the offsets at which a
// row begins; on the finer plane it advances by the window's stride along the width.
template <typename Visit>
void for_each_row_of_tap(const seam::Window& window, int64_t tap_y, int64_t tap_x,
                         const Plane& finer, const Plane& coarser, Visit visit) {
  const int64_t shift_y = tap_shift(window, 0, tap_y);
  const int64_t shift_x = tap_shift(window, 1, tap_x);
  const Positions ys = positions_on(shift_y, window.strides[0], finer.height, coarser.height);
  const Positions xs = positions_on(shift_x, window.strides[1], finer.width, coarser.width);
  if (xs.first >= xs.end) return;
  for (int64_t y = ys.first; y < ys.end; ++y) {
    visit(y * coarser.width + xs.first,
          (y * window.strides[0] + shift_y) * finer.width + xs.first * window.strides[1] + shift_x,
          xs.end - xs.first);
  }
}

}  // namespace mps::software::interpreter
