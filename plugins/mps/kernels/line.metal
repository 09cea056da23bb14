// Kernels of whole lines: `outer` walks the lines, operand 0 in the input and 1 in the output;
// `inner` walks along a line, in both.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

struct SoftmaxParameters {
  uint logarithm;
};

inline float larger(float x, float y) { return isnan(x) ? x : isnan(y) ? y : max(x, y); }

// A group's sum or largest value, at every thread; the number of threads is a power of two.
inline float over_group(threadgroup float* values, float value, bool wants_largest, uint index,
                        uint threads) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  values[index] = value;
  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (index < half_way) {
      const float other = values[index + half_way];
      values[index] = wants_largest ? larger(values[index], other) : values[index] + other;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return values[0];
}

template <typename T>
[[kernel]] void softmax(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                        constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                        constant SoftmaxParameters& parameters [[buffer(4)]],
                        uint group [[threadgroup_position_in_grid]],
                        uint index [[thread_position_in_threadgroup]],
                        uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Places line = places_of(outer, group);
  float largest = -INFINITY;
  for (uint i = index; i < inner.count; i += threads) {
    largest = larger(largest, float(x[line.at[0] + places_of(inner, i).at[0]]));
  }
  largest = over_group(values, largest, true, index, threads);
  float sum = 0;
  for (uint i = index; i < inner.count; i += threads) {
    sum += exp(float(x[line.at[0] + places_of(inner, i).at[0]]) - largest);
  }
  sum = over_group(values, sum, false, index, threads);
  for (uint i = index; i < inner.count; i += threads) {
    const Places along = places_of(inner, i);
    const float shifted = float(x[line.at[0] + along.at[0]]) - largest;
    y[line.at[1] + along.at[1]] =
        T(parameters.logarithm != 0 ? shifted - log(sum) : exp(shifted) / sum);
  }
}

template [[host_name("softmax_float")]] kernel decltype(softmax<float>) softmax<float>;
template [[host_name("softmax_half")]] kernel decltype(softmax<half>) softmax<half>;

struct LayerNormParameters {
  float epsilon;
  uint has_bias;
};

// Scale and bias are walked by `affine`, operands 0 and 1, along a line.
template <typename T>
[[kernel]] void layer_norm(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                           constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                           constant LayerNormParameters& parameters [[buffer(4)]],
                           device const T* scale [[buffer(5)]], device const T* bias [[buffer(6)]],
                           constant Axes& affine [[buffer(7)]],
                           uint group [[threadgroup_position_in_grid]],
                           uint index [[thread_position_in_threadgroup]],
                           uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Places line = places_of(outer, group);
  const float count = float(inner.count);
  float sum = 0;
  for (uint i = index; i < inner.count; i += threads) {
    sum += float(x[line.at[0] + places_of(inner, i).at[0]]);
  }
  const float mean = over_group(values, sum, false, index, threads) / count;
  float squares = 0;
  for (uint i = index; i < inner.count; i += threads) {
    const float distance = float(x[line.at[0] + places_of(inner, i).at[0]]) - mean;
    squares += distance * distance;
  }
  const float variance = over_group(values, squares, false, index, threads) / count;
  const float factor = rsqrt(variance + parameters.epsilon);
  for (uint i = index; i < inner.count; i += threads) {
    const Places along = places_of(inner, i);
    const Places weights = places_of(affine, i);
    const float normal = (float(x[line.at[0] + along.at[0]]) - mean) * factor;
    const float shift = parameters.has_bias != 0 ? float(bias[weights.at[1]]) : 0.0f;
    y[line.at[1] + along.at[1]] = T(normal * float(scale[weights.at[0]]) + shift);
  }
}

template [[host_name("layer_norm_float")]] kernel decltype(layer_norm<float>) layer_norm<float>;
template [[host_name("layer_norm_half")]] kernel decltype(layer_norm<half>) layer_norm<half>;
