// Random numbers: element i, in row-major order, is a function of the key and i alone, as the
// header comment of ops/random/random.cpp has it. A thread makes what one Philox block gives.
#include <metal_stdlib>
#include "random_numbers.h"
using namespace metal;

struct RandomParameters {
  ulong key;
  float low;    // the mean of normal numbers
  float range;  // their scale
};

template <typename T>
[[kernel]] void random_uniform(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                               constant RandomParameters& p [[buffer(2)]],
                               uint index [[thread_position_in_grid]]) {
  write_uniform(philox(index, p.key), y, axes, index, p.low, p.range);
}

template [[host_name("random_uniform_float")]] kernel decltype(random_uniform<float>)
    random_uniform<float>;
template [[host_name("random_uniform_half")]] kernel decltype(random_uniform<half>)
    random_uniform<half>;

template <typename T>
[[kernel]] void random_normal(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                              constant RandomParameters& p [[buffer(2)]],
                              uint index [[thread_position_in_grid]]) {
  write_normal(philox(index, p.key), y, axes, index, p.low, p.range);
}

template [[host_name("random_normal_float")]] kernel decltype(random_normal<float>)
    random_normal<float>;
template [[host_name("random_normal_half")]] kernel decltype(random_normal<half>)
    random_normal<half>;

struct BernoulliParameters {
  ulong key;
  ulong one;  // the bits of 1
};

// One with each element's probability. Operand 0 is the input, 1 the result.
template <typename T, typename R>
[[kernel]] void bernoulli(device const T* x [[buffer(0)]], device R* y [[buffer(1)]],
                          constant Axes& axes [[buffer(2)]],
                          constant BernoulliParameters& p [[buffer(3)]],
                          uint index [[thread_position_in_grid]]) {
  const PhiloxBlock block = philox(index, p.key);
  for (uint k = 0; k < 4 && index * 4 + k < axes.count; ++k) {
    const Positions positions = positions_of(axes, index * 4 + k);
    const bool comes = uniform_float(block.words[k]) < float(x[positions.at[0]]);
    y[positions.at[1]] = comes ? R(p.one) : R(0);
  }
}

template [[host_name("bernoulli_float_1")]] kernel decltype(bernoulli<float, uchar>)
    bernoulli<float, uchar>;
template [[host_name("bernoulli_float_2")]] kernel decltype(bernoulli<float, ushort>)
    bernoulli<float, ushort>;
template [[host_name("bernoulli_float_4")]] kernel decltype(bernoulli<float, uint>)
    bernoulli<float, uint>;
template [[host_name("bernoulli_float_8")]] kernel decltype(bernoulli<float, ulong>)
    bernoulli<float, ulong>;
template [[host_name("bernoulli_half_1")]] kernel decltype(bernoulli<half, uchar>)
    bernoulli<half, uchar>;
template [[host_name("bernoulli_half_2")]] kernel decltype(bernoulli<half, ushort>)
    bernoulli<half, ushort>;
template [[host_name("bernoulli_half_4")]] kernel decltype(bernoulli<half, uint>)
    bernoulli<half, uint>;
template [[host_name("bernoulli_half_8")]] kernel decltype(bernoulli<half, ulong>)
    bernoulli<half, ulong>;

#if __METAL_VERSION__ >= 310
template [[host_name("random_uniform_bfloat")]] kernel decltype(random_uniform<bfloat>)
    random_uniform<bfloat>;
template [[host_name("random_normal_bfloat")]] kernel decltype(random_normal<bfloat>)
    random_normal<bfloat>;
template [[host_name("bernoulli_bfloat_1")]] kernel decltype(bernoulli<bfloat, uchar>)
    bernoulli<bfloat, uchar>;
template [[host_name("bernoulli_bfloat_2")]] kernel decltype(bernoulli<bfloat, ushort>)
    bernoulli<bfloat, ushort>;
template [[host_name("bernoulli_bfloat_4")]] kernel decltype(bernoulli<bfloat, uint>)
    bernoulli<bfloat, uint>;
template [[host_name("bernoulli_bfloat_8")]] kernel decltype(bernoulli<bfloat, ulong>)
    bernoulli<bfloat, ulong>;
#endif
