// How elementwise kernels walk their operands: each thread makes several elements that follow each
// other along the innermost axis, and divides for the axes around it alone.
#pragma once

#include <metal_stdlib>
#include "axes.h"
using namespace metal;

// As ops/building/element_kernel.cpp sets them. Dense: all operands are one axis of step 1.
constant bool is_dense [[function_constant(0)]];
constant uint per_thread [[function_constant(1)]];  // elements, at most

struct Elements {
  uint count;
  uint at[max_operands];  // the first
  uint steps[max_operands];
};

// `position` counts threads along the innermost axis, and the lines along it. The walk has an axis.
inline Elements elements_of(constant Axes& axes, uint2 position) {
  Elements elements;
  const uint first = position.x * per_thread;
  if (is_dense) {
    elements.count = min(per_thread, axes.count - first);
    for (uint k = 0; k < max_operands; ++k) {
      elements.at[k] = axes.offsets[k] + first;
      elements.steps[k] = 1;
    }
    return elements;
  }
  const uint innermost = axes.rank - 1;
  elements.count = min(per_thread, axes.extents[innermost] - first);
  for (uint k = 0; k < max_operands; ++k) {
    elements.steps[k] = uint(axes.steps[k][innermost]);
    elements.at[k] = axes.offsets[k] + first * elements.steps[k];
  }
  uint line = position.y;
  for (uint i = innermost; i-- > 0;) {
    const uint extent = axes.extents[i];
    const uint along = line % extent;
    line /= extent;
    for (uint k = 0; k < max_operands; ++k) elements.at[k] += along * uint(axes.steps[k][i]);
  }
  return elements;
}

// Where the thread's element i lies in operand k.
inline uint position_of(thread const Elements& elements, uint k, uint i) {
  return elements.at[k] + i * elements.steps[k];
}
