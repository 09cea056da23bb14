#include "ops/shapes/windows/window.hpp"

#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/shapes/elementwise/elementwise.hpp"

namespace switchyard {

namespace {

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

/// The positions that follow without the window's size: those of auto_pad's SAME, or none known
/// yet.
std::optional<std::int64_t> settled_extent(const Window& window, std::size_t axis,
                                           std::int64_t extent) {
  if (extent == kUnknown) return kUnknown;
  if (sy::is_same(window.attributes.auto_pad)) {
    return sy::same_extent(extent, window.stride(axis));
  }
  if (window.kernel[axis] == kUnknown) return kUnknown;
  return std::nullopt;
}

/// Fails where there are none because the window is too large.
std::int64_t require_positions(const Inference& node, const Window& window, std::size_t axis,
                               std::int64_t extent, std::optional<std::int64_t> positions) {
  if (positions) return *positions;
  node.mismatch(
      fmt::format("on spatial axis {} the window spans {}, but the input has only {}, padding "
                  "included",
                  axis, window.axis(axis).span(), window.axis(axis).padded(extent)));
}

}  // namespace

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
  sy::WindowAttributes& attributes = window.attributes;
  attributes.strides = read_ints(node, "strides", rank, 1);
  attributes.dilations = read_ints(node, "dilations", rank, 1);
  attributes.pads = read_ints(node, "pads", 2 * rank, 0);
  attributes.auto_pad =
      sy::auto_pad_of(node.attributes().get_text("auto_pad", "")).value_or(sy::AutoPad::notset);
  window.kernel = std::move(kernel);
  return window;
}

std::int64_t conv_output_size(const Inference& node, const Window& window, std::size_t axis,
                              std::int64_t extent) {
  if (const auto settled = settled_extent(window, axis, extent)) return *settled;
  return require_positions(node, window, axis, extent,
                           sy::conv_output_size(window.axis(axis), extent));
}

std::int64_t pool_output_size(const Inference& node, const Window& window, std::size_t axis,
                              std::int64_t extent, bool ceil) {
  if (const auto settled = settled_extent(window, axis, extent)) return *settled;
  return require_positions(node, window, axis, extent,
                           sy::pool_output_size(window.axis(axis), extent, ceil));
}

std::int64_t conv_transpose_output_size(const Inference& node, const Window& window,
                                        std::size_t axis, std::int64_t extent,
                                        std::int64_t output_padding) {
  if (extent == kUnknown || window.kernel[axis] == kUnknown) return kUnknown;
  const sy::WindowAxis on = window.axis(axis);
  const std::int64_t left = sy::conv_transpose_output_size(on, extent, output_padding);
  if (left >= 0) return left;
  node.mismatch(fmt::format("pads take {} from spatial axis {}, of which only {} elements are made",
                            on.total_pad(), axis, left + on.total_pad()));
}

}  // namespace switchyard
