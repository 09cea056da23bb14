#pragma once

#include <cstdint>
#include <switchyard/plugin/window.hpp>
#include <vector>

#include "gradients/rule.hpp"
#include "ops/attributes.hpp"

namespace switchyard {

/// How a window slides, with all that an op's attributes leave out filled in.
using SlidingWindow = std::vector<sy::WindowAxis>;

/// The window of an op without auto_pad.
SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel);

/// The window that slid over `x` and took the positions of `y`, both with batch and channels; what
/// auto_pad stands for is told by their extents.
SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                             const Dims& y);

/// The transposed window that took the positions of `x` to `y`, as the window from `y` to `x`.
SlidingWindow transposed_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                                const Dims& y);

/// Strides, dilations and pads as attributes.
Attributes to_attributes(const SlidingWindow& window);

/// The extents after batch and channels.
Dims spatial_of(const Dims& shape);

}  // namespace switchyard
