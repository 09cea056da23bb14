#pragma once

#include <cstdint>
#include <switchyard/plugin/window.hpp>
#include <vector>

#include "ops/inference.hpp"

namespace switchyard {

/// How a window slides over the spatial axes: what convolution and pooling have in common.
struct Window {
  std::vector<std::int64_t> kernel;  // kUnknown where not known yet
  sy::WindowAttributes attributes;

  /// Of a known kernel.
  sy::WindowAxis axis(std::size_t index) const { return attributes.axis(index, kernel[index]); }
  std::int64_t stride(std::size_t index) const { return attributes.axis(index, 1).stride; }
};

/// Fails unless each number is at least `least`, and so small that sums of it and extents of
/// tensors do not overflow.
void require_window_numbers(const Inference& node, std::string_view name,
                            const std::vector<std::int64_t>& values, std::int64_t least);

/// Reads strides, dilations, pads and auto_pad for a kernel of this shape, and checks their lengths
/// and values.
Window read_window(const Inference& node, std::vector<std::int64_t> kernel);

/// sy::conv_output_size on a spatial axis of this extent, which may be kUnknown. Fails if the
/// window is larger than the input with its padding.
std::int64_t conv_output_size(const Inference& node, const Window& window, std::size_t axis,
                              std::int64_t extent);

/// Likewise sy::pool_output_size.
std::int64_t pool_output_size(const Inference& node, const Window& window, std::size_t axis,
                              std::int64_t extent, bool ceil);

/// Likewise sy::conv_transpose_output_size. Fails if the padding takes more than there is.
std::int64_t conv_transpose_output_size(const Inference& node, const Window& window,
                                        std::size_t axis, std::int64_t extent,
                                        std::int64_t output_padding);

}  // namespace switchyard
