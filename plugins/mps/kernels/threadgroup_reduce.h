// Numbers of a whole threadgroup; the number of its threads is a power of two, 256 at most. All of
// them must come here.
#pragma once

#include <metal_stdlib>
#include "nan_max.h"
using namespace metal;

// The variance from the mean square of the distances from about the mean, and from their mean. A
// NaN stays, and so do squares that are too large for a float: then the rest's may be, too.
inline float variance_of(float squares, float rest) {
  if (isinf(squares)) return squares;
  const float variance = squares - rest * rest;
  return variance < 0 ? 0.0f : variance;
}

// A group's sum or largest value, at every thread; the number of threads is a power of two.
inline float threadgroup_reduce(threadgroup float* values, float value, bool wants_largest,
                                uint index, uint threads) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  values[index] = value;
  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (index < half_way) {
      const float other = values[index + half_way];
      values[index] = wants_largest ? larger(values[index], other) : values[index] + other;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return values[0];
}
