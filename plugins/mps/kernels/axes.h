// How a kernel walks up to four operands of one shape: as runtime/axes.hpp fills it in.
#pragma once

constant constexpr uint max_axes = 16;
constant constexpr uint max_operands = 4;

struct Axes {
  uint count;  // elements
  uint rank;
  uint extents[max_axes];             // outermost first
  int steps[max_operands][max_axes];  // elements
  uint offsets[max_operands];         // elements
};

struct Positions {
  uint at[max_operands];
};

// Where element `index` of the walk lies in each operand.
inline Positions positions_of(constant Axes& axes, uint index) {
  Positions positions;
  for (uint k = 0; k < max_operands; ++k) positions.at[k] = axes.offsets[k];
  for (uint i = axes.rank; i-- > 0;) {
    const uint extent = axes.extents[i];
    const uint along = index % extent;
    index /= extent;
    for (uint k = 0; k < max_operands; ++k) positions.at[k] += along * uint(axes.steps[k][i]);
  }
  return positions;
}
