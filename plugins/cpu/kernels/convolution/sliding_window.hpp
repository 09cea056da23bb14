// Windows that slide over spatial axes: what convolution and pooling have in common, for loops over
// three axes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "run/kernel.hpp"
#include "switchyard/plugin/window.hpp"

namespace cpu {

inline constexpr size_t spatial_rank = 3;  // depth, height, width; the leading ones may be 1
using Spatial = std::array<int64_t, spatial_rank>;

// The spatial extents of a tensor [N, C, ...], leading ones filled up with 1; strides likewise.
Spatial spatial_of(sy::Extents shape);

inline int64_t volume(const Spatial& extents) { return extents[0] * extents[1] * extents[2]; }

// Windows of known shapes.
struct Window {
  using Taps = sy::WindowRange;
  using Positions = sy::WindowRange;

  Spatial input, output, kernel, stride, dilation, pad;
  Spatial
      pad_behind;  // as the attributes say; the last window may stop short of it or reach beyond

  sy::WindowAxis on(size_t axis) const {
    return {kernel[axis], stride[axis], dilation[axis], pad[axis], pad_behind[axis]};
  }
  int64_t span(size_t axis) const { return on(axis).span(); }
  int64_t start(size_t axis, int64_t position) const { return on(axis).start(position); }

  // No window has more of its kernel inside of the input.
  int64_t most_taps() const;

  // The padding behind that the last window reaches into, at least 0.
  int64_t pad_after(size_t axis) const;

  // The part of the kernel that a window at `position` has inside of the input.
  Taps taps(size_t axis, int64_t position) const { return on(axis).taps(position, input[axis]); }
  // Likewise of the input with its padding.
  Taps padded_taps(size_t axis, int64_t position) const {
    return on(axis).padded_taps(position, input[axis]);
  }

  // The positions from which element `tap` of the kernel lies inside of the input.
  Positions positions(size_t axis, int64_t tap) const {
    return on(axis).positions(tap, input[axis], output[axis]);
  }
};

// The attributes of a sliding window, before shapes are known.
class WindowAttributes {
 public:
  WindowAttributes() = default;
  explicit WindowAttributes(const sy::Node& node);

  // `kernel`, `input` and `output` are spatial extents of as many axes.
  Window window(sy::Extents kernel, sy::Extents input, sy::Extents output) const;

  // The same for a transposed window, whose `output` is larger than its input: the roles of input
  // and output in the result are the forward window's.
  Window transposed_window(sy::Extents kernel, sy::Extents input, sy::Extents output) const;

  // kernel_shape; empty if the attribute is not there.
  const std::vector<int64_t>& kernel() const { return kernel_; }

 private:
  std::vector<int64_t> kernel_;
  sy::WindowAttributes given_;
};

}  // namespace cpu
