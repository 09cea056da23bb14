#pragma once

#include <cstdint>
#include <vector>

#include "ops/inference.hpp"

namespace switchyard {

/// ONNX's `auto_pad`.
enum class AutoPad : std::uint8_t { notset, same_upper, same_lower, valid };

/// How a window slides over the spatial axes: what convolution and pooling have in common.
struct Window {
  std::vector<std::int64_t> kernel;  // kUnknown where not known yet
  std::vector<std::int64_t> strides;
  std::vector<std::int64_t> dilations;
  std::vector<std::int64_t> pads;  // begins, then ends; zero unless auto_pad is notset
  AutoPad auto_pad = AutoPad::notset;

  /// The extent of input that the window spans on an axis, its gaps included.
  std::int64_t span(std::size_t axis) const;
  std::int64_t total_pad(std::size_t axis) const { return pads[axis] + pads[axis + kernel.size()]; }
};

/// Fails unless each number is at least `least`, and so small that sums of it and extents of
/// tensors do not overflow.
void require_window_numbers(const Inference& node, std::string_view name,
                            const std::vector<std::int64_t>& values, std::int64_t least);

/// Reads strides, dilations, pads and auto_pad for a kernel of this shape, and checks their lengths
/// and values.
Window read_window(const Inference& node, std::vector<std::int64_t> kernel);

/// How many places a convolution's window takes on a spatial axis of this extent, which may be
/// kUnknown. Fails if it is larger than the input with its padding.
std::int64_t slid_extent(const Inference& node, const Window& window, std::size_t axis,
                         std::int64_t extent);

/// How many places a pool's window takes. With `ceil` the last one may reach beyond the end, but
/// not begin there. A window that is larger than the input with its padding, by less than a stride,
/// has one place all the same, and sees what there is; by less than two strides it has none.
std::int64_t pooled_extent(const Inference& node, const Window& window, std::size_t axis,
                           std::int64_t extent, bool ceil);

/// The reverse: the extent that a transposed window makes of `extent` places, and `more` beside.
std::int64_t unslid_extent(const Inference& node, const Window& window, std::size_t axis,
                           std::int64_t extent, std::int64_t more);

}  // namespace switchyard
