// Lines made to have a mean of 0 and a variance of 1. A group a line. `outer` walks the lines,
// `inner` along one: operand 0 is the input, 1 the output, 2 the scale and 3 the bias.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct MomentsParameters {
  float epsilon;
  uint epsilon_after_root;
  uint has_scale;
  uint has_bias;
  uint has_means;
  uint has_factors;
  uint about_zero;  // the mean counts as 0
};

// `statistics` walks the lines' means (operand 0) and the factors that they are scaled by (1).
template <typename T>
[[kernel]] void normalize(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                          device const T* scale [[buffer(2)]], device const T* bias [[buffer(3)]],
                          constant Axes& outer [[buffer(4)]], constant Axes& inner [[buffer(5)]],
                          constant MomentsParameters& parameters [[buffer(6)]],
                          device float* means [[buffer(7)]], device float* factors [[buffer(8)]],
                          constant Axes& statistics [[buffer(9)]],
                          uint group [[threadgroup_position_in_grid]],
                          uint index [[thread_position_in_threadgroup]],
                          uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  const float count = float(inner.count);
  LongSum<float> sum = {0, 0}, squares = {0, 0}, distances = {0, 0};
  for (uint i = index; i < inner.count && parameters.about_zero == 0; i += threads) {
    sum = plus(sum, float(x[line.at[0] + positions_of(inner, i).at[0]]));
  }
  // A mean far from 0 is rounded: what it lacks is the mean of the distances from it.
  const float centre = threadgroup_reduce(values, total(sum), false, index, threads) / count;
  for (uint i = index; i < inner.count; i += threads) {
    const float distance = float(x[line.at[0] + positions_of(inner, i).at[0]]) - centre;
    squares = plus(squares, distance * distance);
    if (parameters.about_zero == 0) distances = plus(distances, distance);
  }
  const float rest = threadgroup_reduce(values, total(distances), false, index, threads) / count;
  const float about_centre =
      threadgroup_reduce(values, total(squares), false, index, threads) / count;
  const float variance = parameters.about_zero != 0 ? about_centre
                                                    : variance_of(about_centre, rest);
  const float factor = parameters.epsilon_after_root != 0
                           ? 1.0f / (sqrt(variance) + parameters.epsilon)
                           : 1.0f / sqrt(variance + parameters.epsilon);
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    float value = (float(x[line.at[0] + along.at[0]]) - centre - rest) * factor;
    if (parameters.has_scale != 0) value *= float(scale[line.at[2] + along.at[2]]);
    if (parameters.has_bias != 0) value += float(bias[line.at[3] + along.at[3]]);
    y[line.at[1] + along.at[1]] = T(value);
  }
  if (index == 0) {
    const Positions at = positions_of(statistics, group);
    if (parameters.has_means != 0) means[at.at[0]] = centre + rest;
    if (parameters.has_factors != 0) factors[at.at[1]] = factor;
  }
}

template [[host_name("normalize_float")]] kernel decltype(normalize<float>) normalize<float>;
template [[host_name("normalize_half")]] kernel decltype(normalize<half>) normalize<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("normalize_bfloat")]] kernel decltype(normalize<bfloat>) normalize<bfloat>;
#endif
