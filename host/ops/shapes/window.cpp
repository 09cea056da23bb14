#include "ops/shapes/window.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace switchyard {

namespace {

constexpr std::pair<std::string_view, AutoPad> kAutoPads[] = {
    {"NOTSET", AutoPad::notset},
    {"SAME_UPPER", AutoPad::same_upper},
    {"SAME_LOWER", AutoPad::same_lower},
    {"VALID", AutoPad::valid},
};

AutoPad read_auto_pad(const Inference& node) {
  const std::string_view text = node.attributes().get_text("auto_pad", "NOTSET");
  for (const auto& [name, value] : kAutoPads) {
    if (name == text) return value;
  }
  node.fail(
      fmt::format("auto_pad is \"{}\"; it must be NOTSET, SAME_UPPER, SAME_LOWER or VALID", text));
}

/// An attribute of `count` integers, each at least `least`, which is also the default.
std::vector<std::int64_t> read_ints(const Inference& node, std::string_view name, std::size_t count,
                                    std::int64_t least) {
  if (!node.attributes().has(name)) return std::vector<std::int64_t>(count, least);
  std::vector<std::int64_t> values = node.attributes().get_ints(name);
  if (values.size() != count) {
    node.fail(fmt::format("{} is {}; it must hold {} numbers", name, values, count));
  }
  if (std::any_of(values.begin(), values.end(), [least](std::int64_t v) { return v < least; })) {
    node.fail(fmt::format("{} is {}; each must be at least {}", name, values, least));
  }
  return values;
}

std::int64_t divided_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

std::int64_t Window::span(std::size_t axis) const {
  return kernel[axis] == kUnknown ? kUnknown : (kernel[axis] - 1) * dilations[axis] + 1;
}

Window read_window(const Inference& node, std::vector<std::int64_t> kernel) {
  const std::size_t rank = kernel.size();
  Window window;
  window.strides = read_ints(node, "strides", rank, 1);
  window.dilations = read_ints(node, "dilations", rank, 1);
  window.pads = read_ints(node, "pads", 2 * rank, 0);
  window.auto_pad = read_auto_pad(node);
  if (window.auto_pad != AutoPad::notset) window.pads.assign(2 * rank, 0);
  window.kernel = std::move(kernel);
  return window;
}

std::int64_t slid_extent(const Inference& node, const Window& window, std::size_t axis,
                         std::int64_t extent, bool ceil) {
  const std::int64_t stride = window.strides[axis];
  if (extent == kUnknown) return kUnknown;
  if (window.auto_pad == AutoPad::same_upper || window.auto_pad == AutoPad::same_lower) {
    return divided_up(extent, stride);
  }
  if (window.kernel[axis] == kUnknown) return kUnknown;
  const std::int64_t room = extent + window.total_pad(axis) - window.span(axis);
  const bool rounds_up = ceil && window.auto_pad != AutoPad::valid;
  if (room < 0 && !(rounds_up && room > -stride)) {
    node.fail(
        fmt::format("on spatial axis {} the window spans {}, but the input has only {}, padding "
                    "included",
                    axis, window.span(axis), extent + window.total_pad(axis)));
  }
  if (!rounds_up) return room / stride + 1;
  const std::int64_t places = divided_up(room, stride) + 1;
  const bool last_is_outside = (places - 1) * stride >= extent + window.pads[axis];
  return last_is_outside ? places - 1 : places;
}

std::int64_t unslid_extent(const Inference& node, const Window& window, std::size_t axis,
                           std::int64_t extent, std::int64_t more) {
  if (extent == kUnknown || window.kernel[axis] == kUnknown) return kUnknown;
  const std::int64_t made = (extent - 1) * window.strides[axis] + window.span(axis) + more;
  if (made >= window.total_pad(axis)) return made - window.total_pad(axis);
  node.fail(fmt::format("pads take {} from spatial axis {}, of which only {} elements are made",
                        window.total_pad(axis), axis, made));
}

}  // namespace switchyard
