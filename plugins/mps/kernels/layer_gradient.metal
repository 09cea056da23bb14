// The gradient of normalization by lines. `outer` walks the lines, `inner` along one: operand 0 is
// the output gradient, 1 the input, 2 the input's gradient, 3 the scale.
#include <metal_stdlib>
#include "axes.h"
#include "line_statistics.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct LayerGradientParameters {
  float epsilon;
  uint writes_statistics;
};

// A group a line, whose `statistics` are written where they are wanted.
template <typename T>
[[kernel]] void layer_gradient(
    device const T* grads [[buffer(0)]], device const T* x [[buffer(1)]],
    device T* result [[buffer(2)]], device const T* scale [[buffer(3)]],
    device LineStatistics* statistics [[buffer(4)]], constant Axes& outer [[buffer(5)]],
    constant Axes& inner [[buffer(6)]], constant LayerGradientParameters& parameters [[buffer(7)]],
    uint group [[threadgroup_position_in_grid]], uint index [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  const float count = float(inner.count);
  LongSum<float> sum = {0, 0}, squares = {0, 0}, distances = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    sum = plus(sum, float(x[line.at[1] + positions_of(inner, i).at[1]]));
  }
  const float centre = threadgroup_reduce(values, total(sum), false, index, threads) / count;
  for (uint i = index; i < inner.count; i += threads) {
    const float distance = float(x[line.at[1] + positions_of(inner, i).at[1]]) - centre;
    squares = plus(squares, distance * distance);
    distances = plus(distances, distance);
  }
  const float rest = threadgroup_reduce(values, total(distances), false, index, threads) / count;
  const float variance =
      variance_of(threadgroup_reduce(values, total(squares), false, index, threads) / count, rest);
  const float factor = 1.0f / sqrt(variance + parameters.epsilon);
  const LineStatistics known = {centre, rest, factor};
  LongSum<float> scaled_sum = {0, 0}, along_sum = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float scaled =
        float(grads[line.at[0] + along.at[0]]) * float(scale[line.at[3] + along.at[3]]);
    const float standard = standardized(float(x[line.at[1] + along.at[1]]), known);
    scaled_sum = plus(scaled_sum, scaled);
    along_sum = plus(along_sum, scaled * standard);
  }
  const float scaled_mean =
      threadgroup_reduce(values, total(scaled_sum), false, index, threads) / count;
  const float along_mean =
      threadgroup_reduce(values, total(along_sum), false, index, threads) / count;
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float scaled =
        float(grads[line.at[0] + along.at[0]]) * float(scale[line.at[3] + along.at[3]]);
    const float standard = standardized(float(x[line.at[1] + along.at[1]]), known);
    result[line.at[2] + along.at[2]] = T(factor * (scaled - scaled_mean - standard * along_mean));
  }
  if (index == 0 && parameters.writes_statistics != 0) statistics[group] = known;
}

template [[host_name(
    "layer_gradient_float")]] kernel decltype(layer_gradient<float>) layer_gradient<float>;
template
    [[host_name("layer_gradient_half")]] kernel decltype(layer_gradient<half>) layer_gradient<half>;

struct LayerPartsParameters {
  uint lines;  // in a part
};

// What a part of the lines gives an element of the scale and of the bias: a thread each, the
// elements of a part beside each other.
template <typename T>
[[kernel]] void layer_parts(device const T* grads [[buffer(0)]], device const T* x [[buffer(1)]],
                            device const LineStatistics* statistics [[buffer(2)]],
                            device float2* parts [[buffer(3)]], constant Axes& outer [[buffer(4)]],
                            constant Axes& inner [[buffer(5)]],
                            constant LayerPartsParameters& parameters [[buffer(6)]],
                            uint index [[thread_position_in_grid]]) {
  const Positions along = positions_of(inner, index % inner.count);
  const uint begin = index / inner.count * parameters.lines;
  const uint end = min(begin + parameters.lines, outer.count);
  LongSum<float> of_scale = {0, 0}, of_bias = {0, 0};
  for (uint i = begin; i < end; ++i) {
    const Positions line = positions_of(outer, i);
    const float grad = float(grads[line.at[0] + along.at[0]]);
    const float standard = standardized(float(x[line.at[1] + along.at[1]]), statistics[i]);
    of_scale = plus(of_scale, grad * standard);
    of_bias = plus(of_bias, grad);
  }
  parts[index] = float2(total(of_scale), total(of_bias));
}

template [[host_name("layer_parts_float")]] kernel decltype(layer_parts<float>) layer_parts<float>;
template [[host_name("layer_parts_half")]] kernel decltype(layer_parts<half>) layer_parts<half>;

struct JoinLayerPartsParameters {
  uint parts;
  uint has_scale;
  uint has_bias;
};

// A thread an element: `to` walks the gradients of the scale (operand 0) and of the bias (1).
template <typename T>
[[kernel]] void join_layer_parts(device const float2* parts [[buffer(0)]],
                                 device T* of_scale [[buffer(1)]], device T* of_bias [[buffer(2)]],
                                 constant Axes& to [[buffer(3)]],
                                 constant JoinLayerPartsParameters& parameters [[buffer(4)]],
                                 uint index [[thread_position_in_grid]]) {
  LongSum<float> scale_sum = {0, 0}, bias_sum = {0, 0};
  for (uint i = 0; i < parameters.parts; ++i) {
    scale_sum = plus(scale_sum, parts[i * to.count + index].x);
    bias_sum = plus(bias_sum, parts[i * to.count + index].y);
  }
  const Positions at = positions_of(to, index);
  if (parameters.has_scale != 0) of_scale[at.at[0]] = T(total(scale_sum));
  if (parameters.has_bias != 0) of_bias[at.at[1]] = T(total(bias_sum));
}

template [[host_name(
    "join_layer_parts_float")]] kernel decltype(join_layer_parts<float>) join_layer_parts<float>;
template [[host_name(
    "join_layer_parts_half")]] kernel decltype(join_layer_parts<half>) join_layer_parts<half>;

#if __METAL_VERSION__ >= 310
template [[host_name(
    "layer_gradient_bfloat")]] kernel decltype(layer_gradient<bfloat>) layer_gradient<bfloat>;
template
    [[host_name("layer_parts_bfloat")]] kernel decltype(layer_parts<bfloat>) layer_parts<bfloat>;
template [[host_name(
    "join_layer_parts_bfloat")]] kernel decltype(join_layer_parts<bfloat>) join_layer_parts<bfloat>;
#endif
