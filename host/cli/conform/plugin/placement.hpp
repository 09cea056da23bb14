// How a tensor lies in a block of device memory that has bytes beside it.
#pragma once

#include <switchyard/plugin.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <switchyard/dims.hpp>
#include <switchyard/dtype.hpp>

namespace switchyard::cli::conform {

enum class Layout {
  contiguous,  // from the block's first byte on
  offset,      // contiguous, further on
  transposed,  // the first axis is the innermost
  gaps,        // row-major, with elements between that are not the tensor's
  reversed,    // every axis runs backwards
  repeated     // one axis has stride 0: inputs alone
};

/// "transposed"
std::string_view name_of(Layout layout);

struct Placement {
  Dims strides;
  std::uint64_t offset_bytes = 0;  // of the element whose indices are all 0
  std::uint64_t block_bytes = 0;
};

/// The axis that a repeated layout repeats: the first of more than one element; nothing if there is
/// none.
std::optional<std::size_t> repeated_axis(const Dims& shape);

/// Nothing where the shape, the type or the device's rule on offsets does not allow the layout, or
/// where it would be another.
std::optional<Placement> place(Layout layout, DType dtype, const Dims& shape,
                               const sy_device_info& info);

}  // namespace switchyard::cli::conform
