// The gradients of scale and bias where values are normalized by channels: a group a channel.
// `outer` walks the channels, `inner` what is of one: operand 0 is the output gradient, 1 the
// input, 2 the line of each element, as layer_gradient.metal numbers them. `to` walks the channels'
// results: operand 0 is the scale's, 1 the bias's.
#include <metal_stdlib>
#include "axes.h"
#include "line_statistics.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct ChannelParametersParameters {
  uint has_scale;
  uint has_bias;
};

template <typename T>
[[kernel]] void channel_parameters(
    device const T* grads [[buffer(0)]], device const T* x [[buffer(1)]],
    device const LineStatistics* statistics [[buffer(2)]], device T* of_scale [[buffer(3)]],
    device T* of_bias [[buffer(4)]], constant Axes& outer [[buffer(5)]],
    constant Axes& inner [[buffer(6)]], constant Axes& to [[buffer(7)]],
    constant ChannelParametersParameters& parameters [[buffer(8)]],
    uint group [[threadgroup_position_in_grid]], uint index [[thread_position_in_threadgroup]],
    uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions channel = positions_of(outer, group);
  LongSum<float> scale_sum = {0, 0}, bias_sum = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float grad = float(grads[channel.at[0] + along.at[0]]);
    const float number = float(x[channel.at[1] + along.at[1]]);
    scale_sum =
        plus(scale_sum, grad * standardized(number, statistics[channel.at[2] + along.at[2]]));
    bias_sum = plus(bias_sum, grad);
  }
  const float scale = threadgroup_reduce(values, total(scale_sum), false, index, threads);
  const float bias = threadgroup_reduce(values, total(bias_sum), false, index, threads);
  if (index != 0) return;
  const Positions at = positions_of(to, group);
  if (parameters.has_scale != 0) of_scale[at.at[0]] = T(scale);
  if (parameters.has_bias != 0) of_bias[at.at[1]] = T(bias);
}

template [[host_name("channel_parameters_float")]] kernel decltype(channel_parameters<float>)
    channel_parameters<float>;
template [[host_name("channel_parameters_half")]] kernel decltype(channel_parameters<half>)
    channel_parameters<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("channel_parameters_bfloat")]] kernel decltype(channel_parameters<bfloat>)
    channel_parameters<bfloat>;
#endif
