// Windows that pools slide over up to three spatial axes, of which the leading ones may be 1: as
// ops/windows/pool_window.hpp fills them in.
#pragma once

#include <metal_stdlib>
using namespace metal;

struct PoolWindow {
  uint channels;
  uint counts_padding;
  int input[3];  // extents that windows slide over
  int output[3];
  int size[3];
  int strides[3];
  int dilations[3];
  int padding[3];
  int end[3];    // where the padding after the input ends
  uint at;       // of the tensor that is read: its first element
  int steps[5];  // likewise: from image to image, channel, and along the spatial axes
};

// An element of a tensor [n, c, ...], in row-major order.
struct PoolPosition {
  uint plane;
  int along[3];
};

inline PoolPosition pool_position(constant int* extents, uint index) {
  PoolPosition position;
  for (uint i = 3; i-- > 0;) {
    position.along[i] = int(index % uint(extents[i]));
    index /= uint(extents[i]);
  }
  position.plane = index;
  return position;
}

// Where a plane of the tensor that is read begins.
inline uint pool_plane(constant PoolWindow& w, uint plane) {
  return w.at + plane / w.channels * uint(w.steps[0]) + plane % w.channels * uint(w.steps[1]);
}

// Where a window begins on an axis.
inline int pool_start(constant PoolWindow& w, uint axis, int position) {
  return position * w.strides[axis] - w.padding[axis];
}

// How many elements a mean divides by, on one axis, at a position of the window.
inline int pool_joined(constant PoolWindow& w, uint axis, int position) {
  const int start = pool_start(w, axis, position), step = w.dilations[axis];
  const int first = w.counts_padding != 0 ? -w.padding[axis] : 0;
  const int end = w.counts_padding != 0 ? w.end[axis] : w.input[axis];
  const int skipped = start >= first ? 0 : (first - start + step - 1) / step;
  const int reached = start >= end ? 0 : (end - start + step - 1) / step;
  return max(0, min(reached, w.size[axis]) - skipped);
}
