/// @file
/// How a window slides over the spatial axes of a tensor: what ONNX's convolutions and pools have
/// in common, one axis at a time.
///
/// Tap `t` of the window at position `p` lies on element p * stride - pad_before + t * dilation of
/// the input. All numbers count elements or positions. Kernels, strides and dilations are at least
/// 1, paddings, extents and positions at least 0, and all may be as large as an int64_t: what none
/// holds stays at its end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "switchyard/plugin/division.hpp"
#include "switchyard/plugin/program.hpp"
#include "switchyard/plugin/saturation.hpp"

namespace sy {

/// ONNX's auto_pad: padding as given, so that the output has ceil(input / stride) positions, or
/// none.
enum class AutoPad : uint8_t { notset, same_upper, same_lower, valid };

/// Nothing for a name that ONNX does not know.
constexpr std::optional<AutoPad> auto_pad_of(std::string_view name) noexcept {
  constexpr std::pair<std::string_view, AutoPad> names[] = {{"NOTSET", AutoPad::notset},
                                                            {"SAME_UPPER", AutoPad::same_upper},
                                                            {"SAME_LOWER", AutoPad::same_lower},
                                                            {"VALID", AutoPad::valid}};
  for (const auto& [known, value] : names) {
    if (known == name) return value;
  }
  return std::nullopt;
}

/// True if the padding follows from the extents.
constexpr bool is_same(AutoPad auto_pad) noexcept {
  return auto_pad == AutoPad::same_upper || auto_pad == AutoPad::same_lower;
}

/// A part of the taps, or of the positions, of a window: from `begin` up to, not including, `end`.
struct WindowRange {
  int64_t begin = 0, end = 0;  ///< `end` does not belong to it
  /// How many there are.
  constexpr int64_t count() const noexcept { return end - begin; }
};

/// The range of [0, count) in which first + i * step lies in [begin, end); a step is at least 1.
constexpr WindowRange steps_inside(int64_t first, int64_t step, int64_t count, int64_t begin,
                                   int64_t end) noexcept {
  const auto steps_to = [&](int64_t element) {
    return first >= element ? 0 : ceil_div(saturated_subtract(element, first), step);
  };
  const int64_t kept = std::min(steps_to(begin), count);
  return {kept, std::clamp(steps_to(end), kept, count)};
}

/// A window on one axis.
struct WindowAxis {
  /// Taps, and what is described above.
  /// @{
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad_before = 0;
  int64_t pad_after = 0;
  /// @}

  /// The elements from the first tap to the last, with the gaps between them.
  constexpr int64_t span() const noexcept {
    return saturated_add(saturated_multiply(kernel - 1, dilation), 1);
  }
  /// The padding of both ends, and an extent with it.
  /// @{
  constexpr int64_t total_pad() const noexcept { return saturated_add(pad_before, pad_after); }
  constexpr int64_t padded(int64_t extent) const noexcept {
    return saturated_add(extent, total_pad());
  }
  /// @}
  /// The elements from the first tap of the first position to the last tap of the last.
  constexpr int64_t reach(int64_t positions) const noexcept {
    return saturated_add(saturated_multiply(positions - 1, stride), span());
  }
  /// The element of the first tap at a position that an input has; before the input if negative.
  constexpr int64_t start(int64_t position) const noexcept {
    return position * stride - pad_before;
  }

  /// The taps that lie inside of an input of this extent, seen from a position that it has.
  constexpr WindowRange taps(int64_t position, int64_t extent) const noexcept {
    return steps_inside(start(position), dilation, kernel, 0, extent);
  }
  /// Likewise inside of the input with its padding.
  constexpr WindowRange padded_taps(int64_t position, int64_t extent) const noexcept {
    return steps_inside(start(position), dilation, kernel, -pad_before,
                        saturated_add(extent, pad_after));
  }
  /// Of `count` positions, those from which `tap` lies inside of an input of this extent.
  constexpr WindowRange positions(int64_t tap, int64_t extent, int64_t count) const noexcept {
    const int64_t first = saturated_subtract(saturated_multiply(tap, dilation), pad_before);
    return steps_inside(first, stride, count, 0, extent);
  }
};

/// The positions of a convolution's window; nothing if it is larger than the input with its
/// padding.
constexpr std::optional<int64_t> conv_output_size(const WindowAxis& axis, int64_t extent) noexcept {
  const int64_t room = saturated_subtract(axis.padded(extent), axis.span());
  if (room < 0) return std::nullopt;
  return saturated_add(room / axis.stride, 1);
}

/// The positions of a pool's window. With `ceil` the last one may reach beyond the end, and is left
/// out where it begins behind the input. A window that is larger than the input with its padding,
/// by less than a stride, has one position and sees what there is; by less than two strides it has
/// none, as onnxruntime rounds the quotient towards 0. Nothing if it is larger than that, or if
/// there is no element.
constexpr std::optional<int64_t> pool_output_size(const WindowAxis& axis, int64_t extent,
                                                  bool ceil) noexcept {
  const int64_t room = saturated_subtract(axis.padded(extent), axis.span());
  const int64_t floored = saturated_add(room / axis.stride, 1);
  if (room < 0 && (extent == 0 || floored < 0)) return std::nullopt;
  if (room < 0 || !ceil) return floored;
  const int64_t last = ceil_div(room, axis.stride);
  const bool begins_outside =
      saturated_multiply(last, axis.stride) >= saturated_add(extent, axis.pad_before);
  return begins_outside ? last : saturated_add(last, 1);
}

/// The positions of either where auto_pad is SAME_UPPER or SAME_LOWER.
constexpr int64_t same_extent(int64_t extent, int64_t stride) noexcept {
  return ceil_div(extent, stride);
}

/// The reverse of conv_output_size: what a transposed window makes of `positions`, with
/// `output_padding` behind it. Negative if the padding takes more than there is.
constexpr int64_t conv_transpose_output_size(const WindowAxis& axis, int64_t positions,
                                             int64_t output_padding) noexcept {
  return saturated_subtract(saturated_add(axis.reach(positions), output_padding), axis.total_pad());
}

/// The window with as much padding as `positions` need that cover `extent`, and `output_padding`
/// beside. SAME_UPPER has the smaller half before the input, and all else the larger one.
constexpr WindowAxis covering(WindowAxis axis, AutoPad auto_pad, int64_t extent, int64_t positions,
                              int64_t output_padding = 0) noexcept {
  const int64_t reached = saturated_add(axis.reach(positions), output_padding);
  const int64_t total = std::max<int64_t>(0, saturated_subtract(reached, extent));
  const int64_t smaller = total / 2;
  axis.pad_before = auto_pad == AutoPad::same_upper ? smaller : total - smaller;
  axis.pad_after = total - axis.pad_before;
  return axis;
}

/// The attributes of a sliding window, before shapes are known. Lists have a number for each
/// spatial axis, `pads` those before each and then those after; one that is empty stands for the
/// defaults.
struct WindowAttributes {
  AutoPad auto_pad = AutoPad::notset;  ///< where padding comes from
  /// As the node has them.
  std::vector<int64_t> strides, dilations, pads;
  std::vector<int64_t> output_padding;  ///< of transposed windows
  bool has_output_shape = false;        ///< likewise: then padding follows from the extents

  WindowAttributes() = default;
  /// Throws sy::unsupported for a name of auto_pad that ONNX does not know.
  explicit WindowAttributes(const Node& node);

  /// `kernel` taps on the spatial axis `index`, with the padding of `pads`.
  WindowAxis axis(size_t index, int64_t kernel) const;
  /// With the padding that takes the input's extent to the output's.
  WindowAxis axis(size_t index, int64_t kernel, int64_t input, int64_t output) const;
  /// Likewise of a transposed window, which takes the positions of its input to a larger output:
  /// the window of the convolution from this output to this input.
  WindowAxis transposed_axis(size_t index, int64_t kernel, int64_t input, int64_t output) const;
};

inline WindowAttributes::WindowAttributes(const Node& node) {
  const auto list = [&](std::string_view name) {
    const auto numbers = node.integers(name);
    return std::vector<int64_t>(numbers.begin(), numbers.end());
  };
  strides = list("strides");
  dilations = list("dilations");
  pads = list("pads");
  output_padding = list("output_padding");
  has_output_shape = !node.integers("output_shape").empty();
  const std::string_view name = node.text("auto_pad", "NOTSET");
  const std::optional<AutoPad> known = auto_pad_of(name);
  if (!known) throw unsupported(SY_REASON_ATTRIBUTE, "auto_pad is '", name, "'");
  auto_pad = *known;
}

inline WindowAxis WindowAttributes::axis(size_t index, int64_t kernel) const {
  WindowAxis made;
  made.kernel = kernel;
  if (!strides.empty()) made.stride = strides[index];
  if (!dilations.empty()) made.dilation = dilations[index];
  if (auto_pad != AutoPad::notset || pads.empty()) return made;
  made.pad_before = pads[index];
  made.pad_after = pads[pads.size() / 2 + index];
  return made;
}

inline WindowAxis WindowAttributes::axis(size_t index, int64_t kernel, int64_t input,
                                         int64_t output) const {
  const WindowAxis made = axis(index, kernel);
  return is_same(auto_pad) ? covering(made, auto_pad, input, output) : made;
}

inline WindowAxis WindowAttributes::transposed_axis(size_t index, int64_t kernel, int64_t input,
                                                    int64_t output) const {
  const WindowAxis made = axis(index, kernel);
  if (!is_same(auto_pad) && !has_output_shape) return made;
  const int64_t more = output_padding.empty() ? 0 : output_padding[index];
  return covering(made, auto_pad, output, input, more);
}

}  // namespace sy
