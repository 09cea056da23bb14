// The mean of several tensors, one after the other, by way of a total in float.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

struct MeanParameters {
  uint is_first;
  uint is_last;
  float count;
};

// Operand 0 is one of them, 1 the total so far, 2 the result.
template <typename T>
[[kernel]] void mean_part(device const T* x [[buffer(0)]], device float* total [[buffer(1)]],
                          device T* y [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                          constant MeanParameters& parameters [[buffer(4)]],
                          uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  const float before = parameters.is_first != 0 ? 0.0f : total[places.at[1]];
  const float sum = before + float(x[places.at[0]]);
  if (parameters.is_last != 0) {
    y[places.at[2]] = T(sum / parameters.count);
  } else {
    total[places.at[1]] = sum;
  }
}

template [[host_name("mean_part_float")]] kernel decltype(mean_part<float>) mean_part<float>;
template [[host_name("mean_part_half")]] kernel decltype(mean_part<half>) mean_part<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("mean_part_bfloat")]] kernel decltype(mean_part<bfloat>) mean_part<bfloat>;
#endif
