// Naive windows over spatial axes, of any rank.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "harness/harness.hpp"
#include "switchyard/plugin/shape.hpp"

namespace cpu::testing {

struct WindowCase {
  Shape kernel;
  Shape strides, dilations, pads;  // empty: the defaults
  std::string auto_pad = "NOTSET";
  bool ceil = false;

  int64_t stride(size_t axis) const { return strides.empty() ? 1 : strides[axis]; }
  int64_t dilation(size_t axis) const { return dilations.empty() ? 1 : dilations[axis]; }
  int64_t span(size_t axis) const { return (kernel[axis] - 1) * dilation(axis) + 1; }

  int64_t same_padding(size_t axis, int64_t extent) const {
    const int64_t positions = (extent + stride(axis) - 1) / stride(axis);
    return std::max<int64_t>(0, (positions - 1) * stride(axis) + span(axis) - extent);
  }
  int64_t pad(size_t axis, int64_t extent) const {
    if (auto_pad == "SAME_UPPER") return same_padding(axis, extent) / 2;
    if (auto_pad == "SAME_LOWER") return (same_padding(axis, extent) + 1) / 2;
    return auto_pad == "VALID" || pads.empty() ? 0 : pads[axis];
  }
  int64_t pad_after(size_t axis, int64_t extent) const {
    if (auto_pad.starts_with("SAME")) return same_padding(axis, extent) - pad(axis, extent);
    return auto_pad == "VALID" || pads.empty() ? 0 : pads[kernel.size() + axis];
  }
  int64_t positions(size_t axis, int64_t extent) const {
    if (auto_pad.starts_with("SAME")) return (extent + stride(axis) - 1) / stride(axis);
    const int64_t room = extent + pad(axis, extent) + pad_after(axis, extent) - span(axis);
    int64_t count = room / stride(axis) + 1;
    if (ceil && room > 0 && room % stride(axis) != 0) {
      ++count;
      if ((count - 1) * stride(axis) >= extent + pad(axis, extent)) --count;
    }
    return count;
  }

  // The spatial extents after the first two of `shape`, slid over.
  Shape slid(const Shape& shape) const {
    Shape made(shape.begin(), shape.begin() + 2);
    for (size_t i = 0; i < kernel.size(); ++i) made.push_back(positions(i, shape[2 + i]));
    return made;
  }

  OneNode& describe(OneNode& node) const {
    node.attribute("kernel_shape", kernel).attribute("auto_pad", auto_pad);
    if (!strides.empty()) node.attribute("strides", strides);
    if (!dilations.empty()) node.attribute("dilations", dilations);
    if (!pads.empty()) node.attribute("pads", pads);
    return node;
  }
};

// Calls `visit(index)` for all indices below `shape`, row-major.
inline void for_each_index(const Shape& shape, const std::function<void(const Shape&)>& visit) {
  Shape index(shape.size(), 0);
  for (int64_t count = sy::element_count(shape); count > 0; --count) {
    visit(index);
    for (size_t i = shape.size(); i-- > 0;) {
      if (++index[i] < shape[i]) break;
      index[i] = 0;
    }
  }
}

inline int64_t flat(const Shape& shape, const Shape& index) {
  int64_t at = 0;
  for (size_t i = 0; i < shape.size(); ++i) at = at * shape[i] + index[i];
  return at;
}

// Calls `visit(kernel index, input index, is inside)` for the window at the spatial position
// `position`.
inline void for_each_tap(const WindowCase& window, const Shape& extents, const Shape& position,
                         const std::function<void(const Shape&, const Shape&, bool)>& visit) {
  for_each_index(window.kernel, [&](const Shape& tap) {
    Shape at(tap.size());
    bool inside = true;
    for (size_t i = 0; i < tap.size(); ++i) {
      at[i] =
          position[i] * window.stride(i) - window.pad(i, extents[i]) + tap[i] * window.dilation(i);
      inside = inside && at[i] >= 0 && at[i] < extents[i];
    }
    visit(tap, at, inside);
  });
}

}  // namespace cpu::testing
