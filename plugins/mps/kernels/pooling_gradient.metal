// Gradients of pools. Each element of a gradient is one thread's sum, in the order of the positions
// that it comes from, so that every run gives the same bits.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "faults.h"
#include "pool_window.h"
using namespace metal;

// The gradient of a largest element goes to where it was found. First the positions are linked into a
// list for each element of the result: `heads` has the last place of each, `links` the one before
// each position; positions are counted from 1, and 0 ends a list. `axes` walks the indices.
[[kernel]] void pool_link(device const long* indices [[buffer(0)]],
                          device atomic_uint* heads [[buffer(1)]],
                          device uint* links [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                          constant uint2& of_a_plane [[buffer(4)]],
                          device Faults* faults [[buffer(5)]],
                          uint index [[thread_position_in_grid]]) {
  const long found = indices[positions_of(axes, index).at[0]];
  if (found == -1) return;
  const uint plane = index / of_a_plane.x;
  const long first = long(plane) * long(of_a_plane.y);
  if (found < first || found >= first + long(of_a_plane.y)) {
    faults->value = found;
    faults->bound = plane;
    faults->kind = 4;
    return;
  }
  links[index] = atomic_exchange_explicit(&heads[found], index + 1, memory_order_relaxed);
}

// Threads of the first kernel come in any order, so each list is summed from its least place on.
// `from` walks the gradients of positions, `to` the result.
template <typename T>
[[kernel]] void max_pool_gradient(device const T* gradients [[buffer(0)]],
                                  device T* result [[buffer(1)]],
                                  device const uint* heads [[buffer(2)]],
                                  device const uint* links [[buffer(3)]],
                                  constant Axes& from [[buffer(4)]],
                                  constant Axes& to [[buffer(5)]],
                                  uint index [[thread_position_in_grid]]) {
  const uint head = heads[index];
  LongSum<float> sum = {0, 0};
  for (uint last = 0, least = head; least != 0; last = least) {
    least = 0;
    for (uint position = head; position != 0; position = links[position - 1]) {
      if (position > last && (least == 0 || position < least)) least = position;
    }
    if (least != 0) sum = plus(sum, float(gradients[positions_of(from, least - 1).at[0]]));
  }
  result[positions_of(to, index).at[0]] = T(total(sum));
}

template [[host_name("max_pool_gradient_float")]] kernel decltype(max_pool_gradient<float>)
    max_pool_gradient<float>;
template [[host_name("max_pool_gradient_half")]] kernel decltype(max_pool_gradient<half>)
    max_pool_gradient<half>;

// What was found where, of another tensor, which `of` walks; `axes` walks indices and result. A
// type by its size: nothing found is 0.
template <typename T>
[[kernel]] void max_pool_gather(device const T* x [[buffer(0)]],
                                device const long* indices [[buffer(1)]],
                                device T* y [[buffer(2)]], constant Axes& of [[buffer(3)]],
                                constant Axes& axes [[buffer(4)]],
                                device Faults* faults [[buffer(5)]],
                                uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const long found = indices[positions.at[0]];
  const bool is_there = found >= 0 && found < long(of.count);
  if (!is_there && found != -1) {
    faults->value = found;
    faults->bound = of.count;
    faults->kind = 1;
  }
  y[positions.at[1]] = is_there ? x[positions_of(of, uint(found)).at[0]] : T(0);
}

template [[host_name("max_pool_gather_2")]] kernel decltype(max_pool_gather<ushort>)
    max_pool_gather<ushort>;
template [[host_name("max_pool_gather_4")]] kernel decltype(max_pool_gather<uint>)
    max_pool_gather<uint>;

// The position of the window whose element `tap` of an axis is at `along`; -1 if there is none.
inline int position_seeing(constant PoolWindow& w, uint axis, int along, int tap) {
  const int start = along + w.padding[axis] - tap * w.dilations[axis];
  if (start < 0 || start % w.strides[axis] != 0) return -1;
  const int position = start / w.strides[axis];
  return position < w.output[axis] ? position : -1;
}

// Each element gathers its shares of all means that it is part of. `axes` walks the result; the
// gradients of the means are what `w` reads.
template <typename T>
[[kernel]] void average_pool_gradient(device const T* gradients [[buffer(0)]],
                                      device T* result [[buffer(1)]],
                                      constant Axes& axes [[buffer(2)]],
                                      constant PoolWindow& w [[buffer(3)]],
                                      uint index [[thread_position_in_grid]]) {
  const PoolPosition here = pool_position(w.input, index);
  const uint plane = pool_plane(w, here.plane);
  LongSum<float> sum = {0, 0};
  for (int i = w.size[0]; i-- > 0;) {
    const int depth = position_seeing(w, 0, here.along[0], i);
    if (depth < 0) continue;
    const float joined = float(pool_joined(w, 0, depth));
    for (int j = w.size[1]; j-- > 0;) {
      const int row = position_seeing(w, 1, here.along[1], j);
      if (row < 0) continue;
      const float joined_rows = joined * float(pool_joined(w, 1, row));
      const uint line = plane + uint(depth) * uint(w.steps[2]) + uint(row) * uint(w.steps[3]);
      for (int k = w.size[2]; k-- > 0;) {
        const int column = position_seeing(w, 2, here.along[2], k);
        if (column < 0) continue;
        const float count = joined_rows * float(pool_joined(w, 2, column));
        sum = plus(sum, float(gradients[line + uint(column) * uint(w.steps[4])]) / count);
      }
    }
  }
  result[positions_of(axes, index).at[0]] = T(total(sum));
}

template [[host_name("average_pool_gradient_float")]] kernel decltype(average_pool_gradient<float>)
    average_pool_gradient<float>;
template [[host_name("average_pool_gradient_half")]] kernel decltype(average_pool_gradient<half>)
    average_pool_gradient<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("max_pool_gradient_bfloat")]] kernel decltype(max_pool_gradient<bfloat>)
    max_pool_gradient<bfloat>;
template [[host_name("average_pool_gradient_bfloat")]] kernel
    decltype(average_pool_gradient<bfloat>) average_pool_gradient<bfloat>;
#endif
