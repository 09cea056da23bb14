// Pools, a thread a position of the window. `axes` walks the result.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "pool_window.h"
using namespace metal;

// The largest element, the first one of equals; a NaN is larger than all. The second result, where
// `wants_indices`, counts it row-major over the whole of x: -1 where a window sees only padding.
template <typename T>
[[kernel]] void max_pool(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                         device long* indices [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                         constant PoolWindow& w [[buffer(4)]],
                         constant uint& wants_indices [[buffer(5)]],
                         uint index [[thread_position_in_grid]]) {
  const PoolPosition position = pool_position(w.output, index);
  const uint plane = pool_plane(w, position.plane);
  const long first = long(position.plane) * w.input[0] * w.input[1] * w.input[2];
  float largest = -INFINITY;
  long from = -1;
  for (int i = 0; i < w.size[0]; ++i) {
    const int depth = pool_start(w, 0, position.along[0]) + i * w.dilations[0];
    if (depth < 0 || depth >= w.input[0]) continue;
    for (int j = 0; j < w.size[1]; ++j) {
      const int row = pool_start(w, 1, position.along[1]) + j * w.dilations[1];
      if (row < 0 || row >= w.input[1]) continue;
      const uint line = plane + uint(depth) * uint(w.steps[2]) + uint(row) * uint(w.steps[3]);
      for (int k = 0; k < w.size[2]; ++k) {
        const int column = pool_start(w, 2, position.along[2]) + k * w.dilations[2];
        if (column < 0 || column >= w.input[2]) continue;
        const float value = float(x[line + uint(column) * uint(w.steps[4])]);
        if (from >= 0 && (value <= largest || isnan(largest))) continue;
        largest = value;
        from = first + (long(depth) * w.input[1] + row) * w.input[2] + column;
      }
    }
  }
  const Positions to = positions_of(axes, index);
  y[to.at[0]] = T(largest);
  if (wants_indices != 0) indices[to.at[1]] = from;
}

template [[host_name("max_pool_float")]] kernel decltype(max_pool<float>) max_pool<float>;
template [[host_name("max_pool_half")]] kernel decltype(max_pool<half>) max_pool<half>;

template <typename T>
[[kernel]] void average_pool(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                             constant Axes& axes [[buffer(2)]],
                             constant PoolWindow& w [[buffer(3)]],
                             uint index [[thread_position_in_grid]]) {
  const PoolPosition position = pool_position(w.output, index);
  const uint plane = pool_plane(w, position.plane);
  LongSum<float> sum = {0, 0};
  for (int i = 0; i < w.size[0]; ++i) {
    const int depth = pool_start(w, 0, position.along[0]) + i * w.dilations[0];
    if (depth < 0 || depth >= w.input[0]) continue;
    for (int j = 0; j < w.size[1]; ++j) {
      const int row = pool_start(w, 1, position.along[1]) + j * w.dilations[1];
      if (row < 0 || row >= w.input[1]) continue;
      const uint line = plane + uint(depth) * uint(w.steps[2]) + uint(row) * uint(w.steps[3]);
      for (int k = 0; k < w.size[2]; ++k) {
        const int column = pool_start(w, 2, position.along[2]) + k * w.dilations[2];
        if (column < 0 || column >= w.input[2]) continue;
        sum = plus(sum, float(x[line + uint(column) * uint(w.steps[4])]));
      }
    }
  }
  const float joined = float(pool_joined(w, 0, position.along[0])) *
                       float(pool_joined(w, 1, position.along[1])) *
                       float(pool_joined(w, 2, position.along[2]));
  y[positions_of(axes, index).at[0]] = T(joined == 0 ? 0.0f : total(sum) / joined);
}

template [[host_name("average_pool_float")]] kernel decltype(average_pool<float>)
    average_pool<float>;
template [[host_name("average_pool_half")]] kernel decltype(average_pool<half>) average_pool<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("max_pool_bfloat")]] kernel decltype(max_pool<bfloat>) max_pool<bfloat>;
template [[host_name("average_pool_bfloat")]] kernel decltype(average_pool<bfloat>)
    average_pool<bfloat>;
#endif
