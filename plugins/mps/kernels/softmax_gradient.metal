// The gradient of a softmax, or of its logarithm, of which y is the result. A group a line. `outer`
// walks the lines, `inner` along one: operand 0 is the output gradient, 1 y, 2 the gradient.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct SoftmaxGradientParameters {
  uint logarithm;
};

template <typename T>
[[kernel]] void softmax_gradient(device const T* grads [[buffer(0)]],
                                 device const T* y [[buffer(1)]], device T* result [[buffer(2)]],
                                 constant Axes& outer [[buffer(3)]],
                                 constant Axes& inner [[buffer(4)]],
                                 constant SoftmaxGradientParameters& parameters [[buffer(5)]],
                                 uint group [[threadgroup_position_in_grid]],
                                 uint index [[thread_position_in_threadgroup]],
                                 uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  LongSum<float> grads_sum = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float grad = float(grads[line.at[0] + along.at[0]]);
    const float one = parameters.logarithm != 0 ? 1.0f : float(y[line.at[1] + along.at[1]]);
    grads_sum = plus(grads_sum, grad * one);
  }
  const float sum = threadgroup_reduce(values, total(grads_sum), false, index, threads);
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float grad = float(grads[line.at[0] + along.at[0]]);
    const float one = float(y[line.at[1] + along.at[1]]);
    result[line.at[2] + along.at[2]] =
        T(parameters.logarithm != 0 ? grad - exp(one) * sum : one * (grad - sum));
  }
}

template [[host_name("softmax_gradient_float")]] kernel decltype(softmax_gradient<float>)
    softmax_gradient<float>;
template [[host_name("softmax_gradient_half")]] kernel decltype(softmax_gradient<half>)
    softmax_gradient<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("softmax_gradient_bfloat")]] kernel decltype(softmax_gradient<bfloat>)
    softmax_gradient<bfloat>;
#endif
