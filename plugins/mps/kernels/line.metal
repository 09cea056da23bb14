// Kernels of whole lines: `outer` walks the lines, operand 0 in the input and 1 in the output;
// `inner` walks along a line, in both.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
#include "threadgroup_reduce.h"
using namespace metal;

struct SoftmaxParameters {
  uint logarithm;
};

template <typename T>
[[kernel]] void softmax(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                        constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                        constant SoftmaxParameters& parameters [[buffer(4)]],
                        uint group [[threadgroup_position_in_grid]],
                        uint index [[thread_position_in_threadgroup]],
                        uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  float largest = -INFINITY;
  for (uint i = index; i < inner.count; i += threads) {
    largest = larger(largest, float(x[line.at[0] + positions_of(inner, i).at[0]]));
  }
  largest = threadgroup_reduce(values, largest, true, index, threads);
  LongSum<float> powers = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    powers = plus(powers, exp(float(x[line.at[0] + positions_of(inner, i).at[0]]) - largest));
  }
  const float sum = threadgroup_reduce(values, total(powers), false, index, threads);
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float shifted = float(x[line.at[0] + along.at[0]]) - largest;
    y[line.at[1] + along.at[1]] =
        T(parameters.logarithm != 0 ? shifted - log(sum) : exp(shifted) / sum);
  }
}

template [[host_name("softmax_float")]] kernel decltype(softmax<float>) softmax<float>;
template [[host_name("softmax_half")]] kernel decltype(softmax<half>) softmax<half>;

// 1 at the first of the largest numbers, 0 elsewhere. NaN is never larger.
template <typename T>
[[kernel]] void hardmax(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                        constant Axes& outer [[buffer(2)]], constant Axes& inner [[buffer(3)]],
                        uint group [[threadgroup_position_in_grid]],
                        uint index [[thread_position_in_threadgroup]],
                        uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  threadgroup uint positions[256];
  const Positions line = positions_of(outer, group);
  float best = NAN;
  uint best_position = 0;
  for (uint i = index; i < inner.count; i += threads) {
    const float value = float(x[line.at[0] + positions_of(inner, i).at[0]]);
    if (value > best || (isnan(best) && !isnan(value))) {
      best = value;
      best_position = i;
    }
  }
  values[index] = best;
  positions[index] = best_position;
  for (uint half_way = threads / 2; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (index < half_way) {
      const float other = values[index + half_way];
      const uint other_position = positions[index + half_way];
      const bool comes_first = other == best && other_position < best_position;
      if (other > best || comes_first || (isnan(best) && !isnan(other))) {
        best = other;
        best_position = other_position;
        values[index] = best;
        positions[index] = best_position;
      }
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const bool begins_with_nan = isnan(float(x[line.at[0] + positions_of(inner, 0).at[0]]));
  const uint chosen = begins_with_nan ? 0 : positions[0];
  for (uint i = index; i < inner.count; i += threads) {
    y[line.at[1] + positions_of(inner, i).at[1]] = T(i == chosen ? 1 : 0);
  }
}

template [[host_name("hardmax_float")]] kernel decltype(hardmax<float>) hardmax<float>;
template [[host_name("hardmax_half")]] kernel decltype(hardmax<half>) hardmax<half>;

struct NormParameters {
  uint squares;  // else absolute values
};

// Divided by the line's norm, which is taken relative to the largest so that squares stay finite. A
// line of zeros stays so.
template <typename T>
[[kernel]] void divide_by_norm(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                               constant Axes& outer [[buffer(2)]],
                               constant Axes& inner [[buffer(3)]],
                               constant NormParameters& parameters [[buffer(4)]],
                               uint group [[threadgroup_position_in_grid]],
                               uint index [[thread_position_in_threadgroup]],
                               uint threads [[threads_per_threadgroup]]) {
  threadgroup float values[256];
  const Positions line = positions_of(outer, group);
  float largest = 0;
  for (uint i = index; i < inner.count; i += threads) {
    largest = larger(largest, abs(float(x[line.at[0] + positions_of(inner, i).at[0]])));
  }
  largest = threadgroup_reduce(values, largest, true, index, threads);
  const float unit = largest == 0 || isinf(largest) ? 1.0f : largest;
  LongSum<float> shares = {0, 0};
  for (uint i = index; i < inner.count; i += threads) {
    const float share = abs(float(x[line.at[0] + positions_of(inner, i).at[0]])) / unit;
    shares = plus(shares, parameters.squares != 0 ? share * share : share);
  }
  const float sum = threadgroup_reduce(values, total(shares), false, index, threads);
  const float norm = parameters.squares != 0 ? sqrt(sum) : sum;
  for (uint i = index; i < inner.count; i += threads) {
    const Positions along = positions_of(inner, i);
    const float share = float(x[line.at[0] + along.at[0]]) / unit;
    y[line.at[1] + along.at[1]] = T(norm == 0 ? 0.0f : share / norm);
  }
}

template [[host_name("divide_by_norm_float")]] kernel decltype(divide_by_norm<float>)
    divide_by_norm<float>;
template [[host_name("divide_by_norm_half")]] kernel decltype(divide_by_norm<half>)
    divide_by_norm<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("softmax_bfloat")]] kernel decltype(softmax<bfloat>) softmax<bfloat>;
template [[host_name("hardmax_bfloat")]] kernel decltype(hardmax<bfloat>) hardmax<bfloat>;
template [[host_name("divide_by_norm_bfloat")]] kernel decltype(divide_by_norm<bfloat>)
    divide_by_norm<bfloat>;
#endif
