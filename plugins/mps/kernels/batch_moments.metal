// BatchNormalization in training: a group a channel. `outer` walks the channels, `inner` what is of
// one: operand 0 is the input, 1 the output.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

// Of the scale, the bias, the old mean and variance, the new mean and variance: where the first
// channel's is, and from there to the next.
struct BatchParameters {
  float epsilon;
  float momentum;
  uint has_mean;
  uint has_variance;
  uint at[6];
  int steps[6];
};

inline uint of_channel(constant BatchParameters& p, uint which, uint channel) {
  return p.at[which] + channel * uint(p.steps[which]);
}

template <typename T>
[[kernel]] void normalize_batch(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                                device const T* scale [[buffer(2)]],
                                device const T* bias [[buffer(3)]],
                                device const T* old_mean [[buffer(4)]],
                                device const T* old_variance [[buffer(5)]],
                                device T* new_mean [[buffer(6)]],
                                device T* new_variance [[buffer(7)]],
                                constant Axes& outer [[buffer(8)]],
                                constant Axes& inner [[buffer(9)]],
                                constant BatchParameters& p [[buffer(10)]],
                                uint group [[threadgroup_position_in_grid]],
                                uint index [[thread_position_in_threadgroup]],
                                uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions channel = positions_of(outer, group);
  const float count = float(inner.count);
  LongSum<float> sum = {0, 0}, squares = {0, 0}, distances = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    sum = plus(sum, float(x[channel.at[0] + positions_of(inner, i).at[0]]));
  }
  // A mean far from 0 is rounded: what it lacks is the mean of the distances from it.
  const float centre = threadgroup_reduce(values, total(sum), false, index, threads) / count;
  for (uint i = index; i < inner.count; i += threads) {
    const float distance = float(x[channel.at[0] + positions_of(inner, i).at[0]]) - centre;
    squares = plus(squares, distance * distance);
    distances = plus(distances, distance);
  }
  const float rest = threadgroup_reduce(values, total(distances), false, index, threads) / count;
  const float variance =
      variance_of(threadgroup_reduce(values, total(squares), false, index, threads) / count, rest);
  const float factor =
      float(scale[of_channel(p, 0, group)]) / sqrt(variance + p.epsilon);
  const float shift = float(bias[of_channel(p, 1, group)]);
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float distance = float(x[channel.at[0] + along.at[0]]) - centre - rest;
    y[channel.at[1] + along.at[1]] = T(distance * factor + shift);
  }
  if (index != 0) return;
  if (p.has_mean != 0) {
    const float kept = float(old_mean[of_channel(p, 2, group)]) * p.momentum;
    new_mean[of_channel(p, 4, group)] = T(kept + (centre + rest) * (1.0f - p.momentum));
  }
  if (p.has_variance != 0) {
    const float kept = float(old_variance[of_channel(p, 3, group)]) * p.momentum;
    new_variance[of_channel(p, 5, group)] = T(kept + variance * (1.0f - p.momentum));
  }
}

template [[host_name("normalize_batch_float")]] kernel decltype(normalize_batch<float>)
    normalize_batch<float>;
template [[host_name("normalize_batch_half")]] kernel decltype(normalize_batch<half>)
    normalize_batch<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("normalize_batch_bfloat")]] kernel decltype(normalize_batch<bfloat>)
    normalize_batch<bfloat>;
#endif
