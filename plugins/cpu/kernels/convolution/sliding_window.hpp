// Windows that slide over spatial axes: what convolution and pooling have in common.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "run/kernel.hpp"

namespace cpu {

inline constexpr size_t spatial_rank = 3;  // depth, height, width; the leading ones may be 1
using Spatial = std::array<int64_t, spatial_rank>;

// The spatial extents of a tensor [N, C, ...], leading ones filled up with 1; strides likewise.
Spatial spatial_of(sy::Extents shape);

inline int64_t volume(const Spatial& extents) { return extents[0] * extents[1] * extents[2]; }

// Windows of known shapes. Element i of the input that a window at place `p` sees on an axis is
// p * stride - pad + i * dilation.
struct Window {
  Spatial input, output, kernel, stride, dilation, pad;
  Spatial
      pad_behind;  // as the attributes say; the last window may stop short of it or reach beyond

  int64_t span(size_t axis) const { return (kernel[axis] - 1) * dilation[axis] + 1; }
  int64_t start(size_t axis, int64_t place) const { return place * stride[axis] - pad[axis]; }

  // No window has more of its kernel inside of the input.
  int64_t most_taps() const;

  // The padding behind that the last window reaches into, at least 0.
  int64_t pad_after(size_t axis) const;

  // The part [begin, end) of the kernel that a window at `place` has inside of the input.
  struct Taps {
    int64_t begin, end;
    int64_t count() const { return end - begin; }
  };
  Taps taps(size_t axis, int64_t place) const { return taps_within(axis, place, 0, input[axis]); }
  // Likewise of the input with its padding.
  Taps padded_taps(size_t axis, int64_t place) const {
    return taps_within(axis, place, -pad[axis], input[axis] + pad_behind[axis]);
  }

  // The places [begin, end) from which element `tap` of the kernel lies inside of the input.
  struct Places {
    int64_t begin, end;
  };
  Places places(size_t axis, int64_t tap) const;

 private:
  Taps taps_within(size_t axis, int64_t place, int64_t first, int64_t end) const;
};

// The attributes of a sliding window, before shapes are known.
class WindowAttributes {
 public:
  WindowAttributes() = default;
  explicit WindowAttributes(const sy::Node& node);

  // `kernel`, `input` and `output` are spatial extents of `rank` axes.
  Window window(sy::Extents kernel, sy::Extents input, sy::Extents output) const;

  // The same for a transposed window, whose `output` is larger than its input: the roles of input
  // and output in the result are the forward window's.
  Window transposed_window(sy::Extents kernel, sy::Extents input, sy::Extents output) const;

  // kernel_shape; empty if the attribute is not there.
  const std::vector<int64_t>& kernel() const { return kernel_; }
  // On `axis` of `rank` spatial ones, as given; 0 if not.
  int64_t pad_before(size_t axis) const { return pads_.empty() ? 0 : pads_[axis]; }
  int64_t pad_after(size_t axis) const {
    return pads_.empty() ? 0 : pads_[pads_.size() / 2 + axis];
  }

 private:
  enum class AutoPad { notset, same_upper, same_lower, valid };

  Window filled(sy::Extents kernel, sy::Extents input, sy::Extents output) const;

  std::vector<int64_t> kernel_, strides_, dilations_, pads_, output_padding_;
  AutoPad auto_pad_ = AutoPad::notset;
  bool sized_ = false;  // output_shape is given
};

}  // namespace cpu
