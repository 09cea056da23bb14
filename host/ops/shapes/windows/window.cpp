#include "ops/shapes/windows/window.hpp"

#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/elementwise/elementwise.hpp"

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
  return AutoPad::notset;
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

/// The places that follow without the window's size: those of auto_pad's SAME, or none known yet.
std::optional<std::int64_t> settled_extent(const Window& window, std::size_t axis,
                                           std::int64_t extent) {
  if (extent == kUnknown) return kUnknown;
  if (window.auto_pad == AutoPad::same_upper || window.auto_pad == AutoPad::same_lower) {
    return divide_up(extent, window.strides[axis]);
  }
  if (window.kernel[axis] == kUnknown) return kUnknown;
  return std::nullopt;
}

/// How far the window can slide over the input with its padding; negative if it is larger.
std::int64_t room_of(const Window& window, std::size_t axis, std::int64_t extent) {
  return add_extents(extent, window.total_pad(axis)) - window.span(axis);
}

[[noreturn]] void fail_for_room(const Inference& node, const Window& window, std::size_t axis,
                                std::int64_t extent) {
  node.fail(
      fmt::format("on spatial axis {} the window spans {}, but the input has only {}, padding "
                  "included",
                  axis, window.span(axis), add_extents(extent, window.total_pad(axis))));
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
                         std::int64_t extent) {
  if (const auto settled = settled_extent(window, axis, extent)) return *settled;
  const std::int64_t room = room_of(window, axis, extent);
  if (room < 0) fail_for_room(node, window, axis, extent);
  return room / window.strides[axis] + 1;
}

std::int64_t pooled_extent(const Inference& node, const Window& window, std::size_t axis,
                           std::int64_t extent, bool ceil) {
  if (const auto settled = settled_extent(window, axis, extent)) return *settled;
  const std::int64_t room = room_of(window, axis, extent), stride = window.strides[axis];
  // The quotient is rounded towards 0, as onnxruntime has it.
  if (room < 0 && extent > 0 && room > -2 * stride) return room > -stride ? 1 : 0;
  if (room < 0) fail_for_room(node, window, axis, extent);
  if (!ceil) return room / stride + 1;
  const std::int64_t places = divide_up(room, stride) + 1;
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
