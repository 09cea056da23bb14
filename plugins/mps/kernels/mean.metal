// The mean of several tensors, one after the other, by way of a total in float.
#include <metal_stdlib>
#include "elements.h"
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
                          uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const uint so_far = position_of(elements, 1, i);
    const float before = parameters.is_first != 0 ? 0.0f : total[so_far];
    const float sum = before + float(x[position_of(elements, 0, i)]);
    if (parameters.is_last != 0) {
      y[position_of(elements, 2, i)] = T(sum / parameters.count);
    } else {
      total[so_far] = sum;
    }
  }
}

template [[host_name("mean_part_float")]] kernel decltype(mean_part<float>) mean_part<float>;
template [[host_name("mean_part_half")]] kernel decltype(mean_part<half>) mean_part<half>;

#if __METAL_VERSION__ >= 310
template [[host_name("mean_part_bfloat")]] kernel decltype(mean_part<bfloat>) mean_part<bfloat>;
#endif
