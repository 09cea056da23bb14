#include "ops/shapes/window.hpp"

#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/elementwise.hpp"

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
  require_window_numbers(node, name, values, least);
  return values;
}

}  // namespace

std::int64_t Window::span(std::size_t axis) const {
  if (kernel[axis] == kUnknown) return kUnknown;
  return add_extents(multiply_extents(kernel[axis] - 1, dilations[axis]), 1);
}

void require_window_numbers(const Inference& node, std::string_view name,
                            const std::vector<std::int64_t>& values, std::int64_t least) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const std::int64_t value : values) {
    if (value < least) {
      node.fail(fmt::format("{} is {}; each must be at least {}", name, values, least));
    }
    if (value > kMost) {
      node.fail(fmt::format("{} is {}; each must be at most {}", name, values, kMost));
    }
  }
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
    return divide_up(extent, stride);
  }
  if (window.kernel[axis] == kUnknown) return kUnknown;
  const std::int64_t padded = add_extents(extent, window.total_pad(axis));
  const std::int64_t room = padded - window.span(axis);
  const bool rounds_up = ceil && window.auto_pad != AutoPad::valid;
  if (room < 0 && !(rounds_up && room > -stride)) {
    node.fail(
        fmt::format("on spatial axis {} the window spans {}, but the input has only {}, padding "
                    "included",
                    axis, window.span(axis), padded));
  }
  if (!rounds_up) return room / stride + 1;
  const std::int64_t places = room < 0 ? 1 : divide_up(room, stride) + 1;
  const bool last_is_outside = (places - 1) * stride >= extent + window.pads[axis];
  return last_is_outside ? places - 1 : places;
}

std::int64_t unslid_extent(const Inference& node, const Window& window, std::size_t axis,
                           std::int64_t extent, std::int64_t more) {
  if (extent == kUnknown || window.kernel[axis] == kUnknown) return kUnknown;
  const std::int64_t reached = add_extents(window.span(axis), more);
  const std::int64_t stride = window.strides[axis];
  const std::int64_t made =
      extent == 0 ? reached - stride : add_extents(multiply_extents(extent - 1, stride), reached);
  if (made >= window.total_pad(axis)) return made - window.total_pad(axis);
  node.fail(fmt::format("pads take {} from spatial axis {}, of which only {} elements are made",
                        window.total_pad(axis), axis, made));
}

}  // namespace switchyard
