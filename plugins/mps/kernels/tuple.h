// Elements that a tuple of indices names, in up to two tensors of one shape.
#pragma once

#include "axes.h"
#include "faults.h"

// As ops/building/tuple.hpp fills it in.
struct Tuple {
  uint length;
  int index_step;  // from one index of a tuple to the next, in elements
  uint extents[max_axes];
  int steps[2][max_axes];  // of both tensors
};

struct Named {
  uint at[2];
};

// The elements that the tuple at `first` names, counted from where its axes are at 0.
template <typename I>
inline Named named_by(device const I* indices, uint first, constant Tuple& tuple,
                      device Faults* faults) {
  Named named = {{0, 0}};
  for (uint i = 0; i < tuple.length; ++i) {
    const long index = long(indices[first + i * uint(tuple.index_step)]);
    const uint position = position_on_axis(index, tuple.extents[i], faults);
    for (uint k = 0; k < 2; ++k) named.at[k] += position * uint(tuple.steps[k][i]);
  }
  return named;
}
