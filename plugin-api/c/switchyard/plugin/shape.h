/// @file
/// Arithmetic on shapes and strides. Strides count elements, and null strides are contiguous. A
/// rank is at most SY_MAX_RANK; at rank 0 arrays may be null.
#ifndef SWITCHYARD_PLUGIN_SHAPE_H_
#define SWITCHYARD_PLUGIN_SHAPE_H_

#include <stddef.h>
#include <stdint.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/dtype.h"

/// Product of known extents; 1 for rank 0.
static inline int64_t sy_element_count(uint32_t rank, const int64_t* shape) {
  int64_t count = 1;
  for (uint32_t i = 0; i < rank; ++i) count *= shape[i];
  return count;
}

/// Row-major strides, into `strides`; an extent of 0 counts as 1.
static inline void sy_contiguous_strides(uint32_t rank, const int64_t* shape, int64_t* strides) {
  int64_t step = 1;
  for (uint32_t i = rank; i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 0 ? shape[i] : 1;
  }
}

/// `strides` as they are, or, where it is null, `room` with the contiguous ones: SY_MAX_RANK
/// numbers.
static inline const int64_t* sy_strides_or_contiguous(uint32_t rank, const int64_t* shape,
                                                      const int64_t* strides, int64_t* room) {
  if (strides != NULL) return strides;
  sy_contiguous_strides(rank, shape, room);
  return room;
}

/// 1 if the elements lie in row-major order without gaps. Strides of extents of 1 and of empty
/// tensors do not matter.
static inline int sy_is_contiguous(uint32_t rank, const int64_t* shape, const int64_t* strides) {
  int64_t step = 1;
  if (strides == NULL || sy_element_count(rank, shape) == 0) return 1;
  for (uint32_t i = rank; i-- > 0;) {
    if (shape[i] == 1) continue;
    if (strides[i] != step) return 0;
    step *= shape[i];
  }
  return 1;
}

/// Strides that read a tensor as if it had the shape `target`, into `result`, after ONNX's
/// broadcasting: aligned at the right, 0 where an extent of 1 is repeated. 0 if it does not
/// broadcast to that.
static inline int sy_broadcast_strides(uint32_t rank, const int64_t* shape, const int64_t* strides,
                                       uint32_t target_rank, const int64_t* target,
                                       int64_t* result) {
  int64_t room[SY_MAX_RANK];
  if (rank > target_rank) return 0;
  const int64_t* own = sy_strides_or_contiguous(rank, shape, strides, room);
  const uint32_t added = target_rank - rank;
  for (uint32_t i = 0; i < target_rank; ++i) {
    const int64_t extent = i < added ? 1 : shape[i - added];
    if (extent != 1 && extent != target[i]) return 0;
    result[i] = extent == 1 ? 0 : own[i - added];
  }
  return 1;
}

/// The bytes that a tensor touches, counted from the element whose indices are all 0: from `first`
/// (0 or below) up to, not including, `end`. Both are 0 if there are no elements.
typedef struct sy_byte_range {
  int64_t first;  ///< of the bytes
  int64_t end;    ///< behind the last
} sy_byte_range;

/// Types packed below a byte must be contiguous.
static inline sy_byte_range sy_bytes_touched(sy_dtype dtype, uint32_t rank, const int64_t* shape,
                                             const int64_t* strides) {
  sy_byte_range range = {0, 0};
  const int64_t count = sy_element_count(rank, shape);
  const int64_t size = (int64_t)sy_dtype_bytes(dtype);
  if (count == 0) return range;
  if (sy_is_contiguous(rank, shape, strides)) {
    range.end = (int64_t)sy_contiguous_bytes(dtype, (uint64_t)count);
    return range;
  }
  range.end = size;
  for (uint32_t i = 0; i < rank; ++i) {
    const int64_t last = (shape[i] - 1) * strides[i] * size;
    if (last < 0) {
      range.first += last;
    } else {
      range.end += last;
    }
  }
  return range;
}

#endif  // SWITCHYARD_PLUGIN_SHAPE_H_
