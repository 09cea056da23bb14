#include "cli/conform/plugin/placement.hpp"

#include <algorithm>
#include <numeric>
#include <switchyard/plugin/division.hpp>

namespace switchyard::cli::conform {
namespace {

constexpr std::uint64_t kBeside = 64;  // bytes on either side that no run may touch

std::int64_t wide_axes(const Dims& shape) {
  return std::count_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent > 1; });
}

Dims row_major(const Dims& shape, std::int64_t step) {
  Dims strides = Dims::filled(shape.size(), 0);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
  return strides;
}

Dims column_major(const Dims& shape) {
  Dims strides = Dims::filled(shape.size(), 0);
  std::int64_t step = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    strides[axis] = step;
    step *= std::max<std::int64_t>(shape[axis], 1);
  }
  return strides;
}

Dims backwards(const Dims& shape) {
  Dims strides = row_major(shape, 1);
  for (std::int64_t& stride : strides) stride = -stride;
  return strides;
}

Dims with_zero(const Dims& shape) {
  Dims stored = shape;
  const std::size_t axis = *repeated_axis(shape);
  stored[axis] = 1;
  Dims strides = row_major(stored, 1);
  strides[axis] = 0;
  return strides;
}

/// The strides of a layout that this shape can have.
std::optional<Dims> strides_of(Layout layout, const Dims& shape) {
  const std::int64_t wide = wide_axes(shape);
  switch (layout) {
    case Layout::contiguous:
    case Layout::offset: return row_major(shape, 1);
    case Layout::transposed:
      if (wide < 2) return std::nullopt;
      return column_major(shape);
    case Layout::gaps:
      if (wide < 1) return std::nullopt;
      return row_major(shape, 3);
    case Layout::reversed:
      if (wide < 1) return std::nullopt;
      return backwards(shape);
    case Layout::repeated:
      if (wide < 1) return std::nullopt;
      return with_zero(shape);
  }
  return std::nullopt;
}

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) {
  return sy::ceil_div(value, step) * step;
}

}  // namespace

std::string_view name_of(Layout layout) {
  switch (layout) {
    case Layout::contiguous: return "contiguous";
    case Layout::offset: return "at an offset";
    case Layout::transposed: return "transposed";
    case Layout::gaps: return "with gaps";
    case Layout::reversed: return "with negative strides";
    case Layout::repeated: return "with a stride of 0";
  }
  return "";
}

std::optional<std::size_t> repeated_axis(const Dims& shape) {
  const auto found =
      std::find_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent > 1; });
  if (found == shape.end()) return std::nullopt;
  return static_cast<std::size_t>(found - shape.begin());
}

std::optional<Placement> place(Layout layout, DType dtype, const Dims& shape,
                               const sy_device_info& info) {
  const auto width = static_cast<std::uint64_t>(bit_width(dtype));
  const bool is_plain = layout == Layout::contiguous || layout == Layout::offset;
  if (!is_plain && (width < 8 || element_count(shape) == 0)) return std::nullopt;
  if (layout == Layout::offset && info.offset_alignment == 0) return std::nullopt;
  const std::optional<Dims> strides = strides_of(layout, shape);
  if (!strides) return std::nullopt;

  const std::uint64_t size = std::max<std::uint64_t>(width / 8, 1);
  std::uint64_t before = 0, after = byte_size(dtype, element_count(shape));
  if (!is_plain) {
    after = size;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      const std::int64_t last =
          (shape[axis] - 1) * (*strides)[axis] * static_cast<std::int64_t>(size);
      (last < 0 ? before : after) += static_cast<std::uint64_t>(last < 0 ? -last : last);
    }
  }
  Placement placement{*strides, before, 0};
  if (layout != Layout::contiguous && info.offset_alignment != 0) {
    const std::uint64_t step = std::lcm<std::uint64_t>(info.offset_alignment, size);
    placement.offset_bytes = rounded_up(before + kBeside, step);
  } else if (before != 0) {
    return std::nullopt;  // an offset that the device does not take
  }
  placement.block_bytes = rounded_up(placement.offset_bytes + after + kBeside, 16);
  return placement;
}

}  // namespace switchyard::cli::conform
