/// @file
/// Arithmetic on shapes and strides. Strides count elements.
#pragma once

#include <switchyard/plugin.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace sy {

/// Extents or strides that lie elsewhere.
using Extents = std::span<const int64_t>;

/// Up to SY_MAX_RANK extents or strides, without the heap.
struct Dimensions {
  /// The first `rank` of them count.
  std::array<int64_t, SY_MAX_RANK> data;
  uint32_t rank = 0;  ///< how many

  Dimensions() = default;
  /// A copy. Throws sy::unsupported for more than SY_MAX_RANK.
  explicit Dimensions(Extents values) : rank(static_cast<uint32_t>(values.size())) {
    if (values.size() > SY_MAX_RANK) {
      throw unsupported(SY_REASON_RANK, "rank ", values.size(), " is above ", SY_MAX_RANK);
    }
    for (uint32_t i = 0; i < rank; ++i) data[i] = values[i];
  }

  /// Number `index`, which must be less than the rank; and all of them.
  /// @{
  int64_t& operator[](size_t index) { return data[index]; }
  int64_t operator[](size_t index) const { return data[index]; }
  operator Extents() const { return {data.data(), rank}; }
  /// @}
};

/// Product of known extents; 1 for rank 0.
inline int64_t element_count(Extents shape) noexcept {
  int64_t count = 1;
  for (const int64_t extent : shape) count *= extent;
  return count;
}

/// True if no extent is unknown.
inline bool is_known(Extents shape) noexcept {
  for (const int64_t extent : shape) {
    if (extent < 0) return false;
  }
  return true;
}

/// An axis that may count from the end, brought into [0, rank).
inline size_t normalize_axis(int64_t axis, size_t rank) {
  const auto limit = static_cast<int64_t>(rank);
  if (axis < -limit || axis >= limit) throw invalid("axis ", axis, " is outside of rank ", rank);
  return static_cast<size_t>(axis < 0 ? axis + limit : axis);
}

/// Row-major strides; an extent of 0 counts as 1.
inline Dimensions contiguous_strides(Extents shape) {
  Dimensions strides(shape);
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
  return strides;
}

/// True if the elements lie in row-major order without gaps. Null strides are contiguous; strides
/// of extents of 1 and of empty tensors do not matter.
inline bool is_contiguous(Extents shape, const int64_t* strides) noexcept {
  if (strides == nullptr || element_count(shape) == 0) return true;
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

/// `strides` as they are, or the contiguous ones where it is null.
inline Dimensions strides_or_contiguous(Extents shape, const int64_t* strides) {
  return strides == nullptr ? contiguous_strides(shape)
                            : Dimensions(Extents(strides, shape.size()));
}

/// Strides that read a tensor of `shape` as if it had `target`, after ONNX's broadcasting: aligned
/// at the right, 0 where an extent of 1 is repeated.
inline Dimensions broadcast_strides(Extents shape, const int64_t* strides, Extents target) {
  if (shape.size() > target.size()) {
    throw invalid("shape ", shape, " does not broadcast to ", target);
  }
  const Dimensions own = strides_or_contiguous(shape, strides);
  Dimensions result(target);
  const size_t added = target.size() - shape.size();
  for (size_t i = 0; i < target.size(); ++i) {
    const int64_t extent = i < added ? 1 : shape[i - added];
    if (extent != 1 && extent != target[i]) {
      throw invalid("shape ", shape, " does not broadcast to ", target);
    }
    result[i] = extent == 1 ? 0 : own[i - added];
  }
  return result;
}

/// The bytes that a strided tensor touches, counted from the element whose indices are all 0: from
/// `first` (0 or below) up to, not including, `end`. Both are 0 if there are no elements.
struct ByteRange {
  int64_t first = 0, end = 0;  ///< in bytes
};

/// Null strides are contiguous; types packed below a byte must be.
inline ByteRange byte_range(sy_dtype dtype, Extents shape, const int64_t* strides) {
  const int64_t count = element_count(shape);
  if (count == 0) return {};
  if (is_contiguous(shape, strides)) {
    return {0, static_cast<int64_t>(contiguous_bytes(dtype, static_cast<uint64_t>(count)))};
  }
  const auto size = static_cast<int64_t>(dtype_bytes(dtype));
  ByteRange range{0, size};
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t last = (shape[i] - 1) * strides[i] * size;
    (last < 0 ? range.first : range.end) += last;
  }
  return range;
}

}  // namespace sy
