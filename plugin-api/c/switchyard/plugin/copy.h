/// @file
/// Strided copies of raw elements between two positions in the memory of one process: what `copy`
/// is asked for where bytes have an address.
#ifndef SWITCHYARD_PLUGIN_COPY_H_
#define SWITCHYARD_PLUGIN_COPY_H_

#include <stdint.h>
#include <string.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/dtype.h"
#include "switchyard/plugin/error.h"
#include "switchyard/plugin/rows.h"
#include "switchyard/plugin/shape.h"

/// Copies `count` elements of `size` bytes, steps being in bytes.
static inline void sy_copy_row(size_t size, int64_t count, const char* source, int64_t source_step,
                               char* destination, int64_t destination_step) {
  if (source_step == (int64_t)size && destination_step == (int64_t)size) {
    memcpy(destination, source, (size_t)count * size);
    return;
  }
  for (int64_t i = 0; i < count; ++i, source += source_step, destination += destination_step) {
    switch (size) {  // by constants, which compilers turn into one load and one store
      case 1: memcpy(destination, source, 1); break;
      case 2: memcpy(destination, source, 2); break;
      case 4: memcpy(destination, source, 4); break;
      case 8: memcpy(destination, source, 8); break;
      default: memcpy(destination, source, size); break;
    }
  }
}

/// The axes in the order in which the destination lies in memory, its longest steps first, into
/// `axes`: so that what is contiguous there is written in one go.
static inline void sy_order_by_steps(uint32_t rank, const int64_t* strides, uint32_t* axes) {
  for (uint32_t i = 0; i < rank; ++i) {
    const int64_t step = strides[i] < 0 ? -strides[i] : strides[i];
    uint32_t place = i;
    for (; place > 0; --place) {
      const int64_t other = strides[axes[place - 1]];
      if ((other < 0 ? -other : other) >= step) break;
      axes[place] = axes[place - 1];
    }
    axes[place] = i;
  }
}

/// Copies the elements of `shape` from `source` to `destination`, both pointing at the element
/// whose indices are all 0. Strides count elements, are of any sign, and null means contiguous; the
/// source's may be 0. The destination addresses each element once and the two do not overlap. Types
/// packed below a byte must be contiguous on both sides. Fails before it has written anything.
static inline sy_status sy_copy_elements(sy_dtype dtype, uint32_t rank, const int64_t* shape,
                                         const void* source, const int64_t* source_strides,
                                         void* destination, const int64_t* destination_strides,
                                         sy_error* error) {
  int64_t room[SY_MAX_RANK], extents[SY_MAX_RANK], from[SY_MAX_RANK], to[SY_MAX_RANK];
  uint32_t axes[SY_MAX_RANK];
  const size_t size = sy_dtype_bytes(dtype);
  if (sy_dtype_bits(dtype) == 0) {
    return sy_fail(error, SY_UNSUPPORTED, SY_REASON_DTYPE, "no element type %d", (int)dtype);
  }
  if (rank > SY_MAX_RANK) {
    return sy_fail(error, SY_UNSUPPORTED, SY_REASON_RANK, "rank %u is above %d", (unsigned)rank,
                   SY_MAX_RANK);
  }
  const int64_t count = sy_element_count(rank, shape);
  if (count == 0) return SY_OK;
  if (sy_is_contiguous(rank, shape, source_strides) &&
      sy_is_contiguous(rank, shape, destination_strides)) {
    memcpy(destination, source, (size_t)sy_contiguous_bytes(dtype, (uint64_t)count));
    return SY_OK;
  }
  if (size == 0) {
    return sy_fail(error, SY_INVALID, SY_REASON_NONE,
                   "%s must be contiguous on both sides of a copy", sy_dtype_name(dtype));
  }
  sy_contiguous_strides(rank, shape, room);
  if (source_strides == NULL) source_strides = room;
  if (destination_strides == NULL) destination_strides = room;
  sy_order_by_steps(rank, destination_strides, axes);
  for (uint32_t i = 0; i < rank; ++i) {
    extents[i] = shape[axes[i]];
    from[i] = source_strides[axes[i]] * (int64_t)size;
    to[i] = destination_strides[axes[i]] * (int64_t)size;
  }
  const int64_t* steps[2] = {from, to};
  sy_rows rows;
  for (int more = sy_begin_rows(&rows, 2, rank, extents, steps); more; more = sy_next_row(&rows)) {
    sy_copy_row(size, rows.count, (const char*)source + rows.offset[0], rows.step[0],
                (char*)destination + rows.offset[1], rows.step[1]);
  }
  return SY_OK;
}

#endif  // SWITCHYARD_PLUGIN_COPY_H_
