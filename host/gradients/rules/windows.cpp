#include "gradients/rules/windows.hpp"

#include <algorithm>

namespace switchyard {
namespace {

std::vector<std::int64_t> ints_or(const Attributes& attributes, std::string_view name,
                                  std::size_t count, std::int64_t otherwise) {
  std::vector<std::int64_t> given = attributes.get_ints(name);
  if (given.empty()) given.assign(count, otherwise);
  return given;
}

}  // namespace

Attributes SlidingWindow::to_attributes() const {
  Attributes made;
  made.set("dilations", dilations);
  made.set("pads", pads);
  made.set("strides", strides);
  return made;
}

SlidingWindow sliding_window(const Attributes& attributes, const Dims& kernel, const Dims& x,
                             const Dims& y) {
  const std::size_t spatial = kernel.size();
  SlidingWindow window;
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides = ints_or(attributes, "strides", spatial, 1);
  window.dilations = ints_or(attributes, "dilations", spatial, 1);
  const std::string_view automatic = attributes.get_text("auto_pad", "NOTSET");
  if (automatic == "NOTSET") {
    window.pads = ints_or(attributes, "pads", 2 * spatial, 0);
    return window;
  }
  window.pads.assign(2 * spatial, 0);
  for (std::size_t axis = 0; automatic != "VALID" && axis < spatial; ++axis) {
    const std::int64_t covered = (y[axis + 2] - 1) * window.strides[axis] + window.span(axis);
    const std::int64_t total = std::max<std::int64_t>(covered - x[axis + 2], 0);
    const std::int64_t less = total / 2, more = total - less;
    window.pads[axis] = automatic == "SAME_UPPER" ? less : more;
    window.pads[axis + spatial] = total - window.pads[axis];
  }
  return window;
}

Dims spatial_of(const Dims& shape) { return Dims(shape.span().subspan(2)); }

}  // namespace switchyard
