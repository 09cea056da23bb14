// The positions of a window, row by row, and what is seen from them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernels/convolution/sliding_window.hpp"
#include "switchyard/plugin/division.hpp"

namespace cpu {

struct Position {
  Spatial at;
  std::array<Window::Taps, spatial_rank> taps;
};

class Positions {
 public:
  // `window` must outlive it.
  explicit Positions(const Window& window)
      : window_(window), inner_begin_(inner_positions(0)), inner_end_(inner_positions(1)) {}

  // Calls `visit(position, count)` for positions [begin, end) of a row: `count` of them, from
  // `position` on, see the same taps of the kernel, each a stride further along the last axis.
  template <typename Visit>
  void each_piece(int64_t row, int64_t begin, int64_t end, Visit&& visit) const {
    Position here = row_at(row);
    for (int64_t at = begin; at < end;) {
      const bool inside = at >= inner_begin_ && at < inner_end_;
      const int64_t count = inside ? std::min(end, inner_end_) - at : 1;
      here.at[2] = at;
      here.taps[2] = inside ? Window::Taps{0, window_.kernel[2]} : window_.taps(2, at);
      visit(static_cast<const Position&>(here), count);
      at += count;
    }
  }

  // Where the taps of a position lie if the axes of the input take `steps`; returns how many they
  // are.
  int64_t taps_of(const Position& here, const Spatial& steps, int64_t* taps) const {
    int64_t count = 0;
    for (int64_t d = here.taps[0].begin; d < here.taps[0].end; ++d) {
      const int64_t plane = (window_.start(0, here.at[0]) + d * window_.dilation[0]) * steps[0];
      for (int64_t h = here.taps[1].begin; h < here.taps[1].end; ++h) {
        const int64_t row = (window_.start(1, here.at[1]) + h * window_.dilation[1]) * steps[1];
        for (int64_t w = here.taps[2].begin; w < here.taps[2].end; ++w) {
          const int64_t column = window_.start(2, here.at[2]) + w * window_.dilation[2];
          taps[count++] = plane + row + column * steps[2];
        }
      }
    }
    return count;
  }

 private:
  Position row_at(int64_t row) const {
    Position here;
    here.at = {row / window_.output[1], row % window_.output[1], 0};
    for (size_t axis = 0; axis < 2; ++axis) here.taps[axis] = window_.taps(axis, here.at[axis]);
    return here;
  }

  // The positions of a row whose windows hang over neither end: the first (0), or one behind the
  // last.
  int64_t inner_positions(int side) const {
    const int64_t begin = sy::ceil_div(window_.pad[2], window_.stride[2]);
    if (side == 0) return std::min(begin, window_.output[2]);
    const int64_t room = window_.input[2] + window_.pad[2] - window_.span(2);
    return room < 0 ? 0 : std::min(room / window_.stride[2] + 1, window_.output[2]);
  }

  const Window& window_;
  const int64_t inner_begin_, inner_end_;
};

// Calls `visit(image, row, begin, end)` for the parts of rows that positions [begin, end) are,
// counted through all images.
template <typename Visit>
void each_row_part(const Window& window, int64_t begin, int64_t end, Visit&& visit) {
  const int64_t width = window.output[2], positions = volume(window.output);
  while (begin < end) {
    const int64_t position = begin % positions, first = position % width;
    const int64_t count = std::min(end - begin, width - first);
    visit(begin / positions, position / width, first, first + count);
    begin += count;
  }
}

}  // namespace cpu
