/// @file
/// A walk over strided tensors of one shape, row by row. Dimensions that run on into each other in
/// all of them are merged, so that contiguous tensors are one row. An input that broadcasts comes
/// with strides of sy_broadcast_strides.
///
///   const int64_t* strides[2] = {input_strides, output_strides};
///   sy_rows rows;
///   for (int more = sy_begin_rows(&rows, 2, rank, shape, strides); more;
///        more = sy_next_row(&rows)) {
///     const float* x = input + rows.offset[0];
///     float* y = output + rows.offset[1];
///     for (int64_t i = 0; i < rows.count; ++i) y[i * rows.step[1]] = -x[i * rows.step[0]];
///   }
#ifndef SWITCHYARD_PLUGIN_ROWS_H_
#define SWITCHYARD_PLUGIN_ROWS_H_

#include <stdint.h>
#include <switchyard/plugin.h>

#include "switchyard/plugin/shape.h"

/// How many tensors one walk takes.
#define SY_MAX_ROW_TENSORS 4

/// Where a walk is. Offsets and steps are in elements, and may be negative.
typedef struct sy_rows {
  int64_t count;                       ///< elements of a row: the same in each row and tensor
  int64_t offset[SY_MAX_ROW_TENSORS];  ///< of the row's first element, in each tensor
  int64_t step[SY_MAX_ROW_TENSORS];    ///< from one element of the row to the next
  uint32_t tensors;                    ///< how many are walked over
  uint32_t rank;                       ///< dimensions around the rows
  int64_t extent[SY_MAX_RANK];         ///< of each such dimension
  int64_t index[SY_MAX_RANK];          ///< where the walk is in it
  int64_t steps[SY_MAX_RANK][SY_MAX_ROW_TENSORS];  ///< of each, in each tensor
} sy_rows;

/// Adds a dimension inside of those so far, or makes the last one longer where it runs on.
static inline void sy_add_dimension(sy_rows* rows, int64_t extent, uint32_t axis,
                                    const int64_t* const* strides) {
  int runs_on = rows->rank > 0;
  for (uint32_t k = 0; k < rows->tensors && runs_on; ++k) {
    runs_on = rows->steps[rows->rank - 1][k] == strides[k][axis] * extent;
  }
  if (runs_on) {
    rows->extent[rows->rank - 1] *= extent;
  } else {
    rows->extent[rows->rank++] = extent;
  }
  for (uint32_t k = 0; k < rows->tensors; ++k) rows->steps[rows->rank - 1][k] = strides[k][axis];
}

/// Begins at the first row. Each tensor has strides, one array of `rank` numbers: null ones stand
/// for contiguous. 0 if there are no elements, and so no row. Rank 0 is one row of one element.
static inline int sy_begin_rows(sy_rows* rows, uint32_t tensors, uint32_t rank,
                                const int64_t* shape, const int64_t* const* strides) {
  int64_t room[SY_MAX_RANK];
  const int64_t* given[SY_MAX_ROW_TENSORS];
  if (sy_element_count(rank, shape) == 0) return 0;
  sy_contiguous_strides(rank, shape, room);
  rows->tensors = tensors;
  rows->rank = 0;
  rows->count = 1;
  for (uint32_t k = 0; k < tensors; ++k) {
    given[k] = strides[k] != NULL ? strides[k] : room;
    rows->offset[k] = 0;
    rows->step[k] = 0;
  }
  for (uint32_t axis = 0; axis < rank; ++axis) {
    rows->index[axis] = 0;
    if (shape[axis] != 1) sy_add_dimension(rows, shape[axis], axis, given);
  }
  if (rows->rank == 0) return 1;
  --rows->rank;  // the innermost dimension is the row
  rows->count = rows->extent[rows->rank];
  for (uint32_t k = 0; k < tensors; ++k) rows->step[k] = rows->steps[rows->rank][k];
  return 1;
}

/// Goes on to the next row, in row-major order; 0 after the last.
static inline int sy_next_row(sy_rows* rows) {
  for (uint32_t axis = rows->rank; axis-- > 0;) {
    const int is_within = ++rows->index[axis] < rows->extent[axis];
    for (uint32_t k = 0; k < rows->tensors; ++k) {
      const int64_t step = rows->steps[axis][k];
      rows->offset[k] += is_within ? step : -step * (rows->extent[axis] - 1);
    }
    if (is_within) return 1;
    rows->index[axis] = 0;
  }
  return 0;
}

#endif  // SWITCHYARD_PLUGIN_ROWS_H_
