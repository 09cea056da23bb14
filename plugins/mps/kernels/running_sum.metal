// Sums of all that came before, along lines. A group a line: `outer` walks the lines, operand 0 in
// the input and 1 in the output; `inner` walks along one, in both.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
using namespace metal;

struct RunningSumParameters {
  uint exclusive;
  uint reverse;
};

// A thread sums a stretch of the line, then goes along it again from what the stretches before it
// came to. Sums are of type W.
template <typename T, typename W>
[[kernel]] void running_sum(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                            constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                            constant RunningSumParameters& parameters [[buffer(4)]],
                            uint group [[threadgroup_position_in_grid]],
                            uint index [[thread_position_in_threadgroup]],
                            uint threads [[threads_per_threadgroup]]) {
  threadgroup W sums[256];
  threadgroup W lost[256];
  const Positions line = positions_of(outer, group);
  const uint stretch = (inner.count + threads - 1) / threads;
  const uint first = min(index * stretch, inner.count);
  const uint end = min(first + stretch, inner.count);
  LongSum<W> sum = {W(0), W(0)};
  for (uint k = first; k < end; ++k) {
    const uint i = parameters.reverse != 0 ? inner.count - 1 - k : k;
    sum = plus(sum, W(x[line.at[0] + positions_of(inner, i).at[0]]));
  }
  sums[index] = sum.sum;
  lost[index] = sum.lost;
  for (uint step = 1; step < threads; step *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (index >= step) sum = plus(LongSum<W>{sums[index - step], lost[index - step]}, sum);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[index] = sum.sum;
    lost[index] = sum.lost;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  LongSum<W> here = {W(0), W(0)};
  if (index > 0) here = {sums[index - 1], lost[index - 1]};
  for (uint k = first; k < end; ++k) {
    const uint i = parameters.reverse != 0 ? inner.count - 1 - k : k;
    const Positions along = positions_of(inner, i);
    const LongSum<W> before = here;
    here = plus(here, W(x[line.at[0] + along.at[0]]));
    y[line.at[1] + along.at[1]] = T(total(parameters.exclusive != 0 ? before : here));
  }
}

template [[host_name("running_sum_float")]] kernel decltype(running_sum<float, float>)
    running_sum<float, float>;
template [[host_name("running_sum_half")]] kernel decltype(running_sum<half, float>)
    running_sum<half, float>;
template [[host_name("running_sum_char")]] kernel decltype(running_sum<char, long>)
    running_sum<char, long>;
template [[host_name("running_sum_uchar")]] kernel decltype(running_sum<uchar, long>)
    running_sum<uchar, long>;
template [[host_name("running_sum_short")]] kernel decltype(running_sum<short, long>)
    running_sum<short, long>;
template [[host_name("running_sum_int")]] kernel decltype(running_sum<int, long>)
    running_sum<int, long>;
template [[host_name("running_sum_long")]] kernel decltype(running_sum<long, long>)
    running_sum<long, long>;

#if __METAL_VERSION__ >= 310
template [[host_name("running_sum_bfloat")]] kernel decltype(running_sum<bfloat, float>)
    running_sum<bfloat, float>;
#endif
