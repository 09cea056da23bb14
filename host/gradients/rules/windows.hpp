#pragma once

#include <cstdint>
#include <vector>

#include "gradients/rule.hpp"
#include "ops/attributes.hpp"

namespace switchyard {

/// How a window slides, with all that an op's attributes leave out filled in.
struct SlidingWindow {
  std::vector<std::int64_t> kernel, strides, dilations;
  std::vector<std::int64_t> pads;  // begins, then ends

  std::int64_t span(std::size_t axis) const { return (kernel[axis] - 1) * dilations[axis] + 1; }
  /// Strides, dilations and pads as attributes.
  Attributes to_attributes() const;
};

/// The window that slid over `x` and took the places of `y`, both with batch and channels; what
/// auto_pad stands for is told by their extents.
SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                             const Dims& y);

/// The extents after batch and channels.
Dims spatial_of(const Dims& shape);

}  // namespace switchyard
