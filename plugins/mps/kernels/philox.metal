// Random numbers as functions of a seed and an offset, which lie on the device: the key, and the
// number of the first block. A thread makes what one Philox block gives.
#include <metal_stdlib>
#include "faults.h"
#include "random_numbers.h"
using namespace metal;

struct PhiloxParameters {
  uint seed_at;
  uint offset_at;
  float low;    // the mean of normal numbers
  float range;  // their scale
};

inline PhiloxBlock block_at(device const ulong* seed, device const ulong* offset,
                            constant PhiloxParameters& p, uint index) {
  return philox(offset[p.offset_at] + index, seed[p.seed_at]);
}

template <typename T>
[[kernel]] void philox_uniform(device const ulong* seed [[buffer(0)]],
                               device const ulong* offset [[buffer(1)]],
                               device T* y [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                               constant PhiloxParameters& p [[buffer(4)]],
                               uint index [[thread_position_in_grid]]) {
  write_uniform(block_at(seed, offset, p, index), y, axes, index, p.low, p.range);
}

template [[host_name("philox_uniform_float")]] kernel decltype(philox_uniform<float>)
    philox_uniform<float>;
template [[host_name("philox_uniform_half")]] kernel decltype(philox_uniform<half>)
    philox_uniform<half>;

template <typename T>
[[kernel]] void philox_normal(device const ulong* seed [[buffer(0)]],
                              device const ulong* offset [[buffer(1)]], device T* y [[buffer(2)]],
                              constant Axes& axes [[buffer(3)]],
                              constant PhiloxParameters& p [[buffer(4)]],
                              uint index [[thread_position_in_grid]]) {
  write_normal(block_at(seed, offset, p, index), y, axes, index, p.low, p.range);
}

template [[host_name("philox_normal_float")]] kernel decltype(philox_normal<float>)
    philox_normal<float>;
template [[host_name("philox_normal_half")]] kernel decltype(philox_normal<half>)
    philox_normal<half>;

struct BoundsParameters {
  uint low_at;
  uint high_at;
};

// The upper 64 bits of a product.
inline ulong multiply_high(ulong a, ulong b) {
  const ulong a0 = a & 0xffffffffu, a1 = a >> 32, b0 = b & 0xffffffffu, b1 = b >> 32;
  const ulong middle = a1 * b0 + (a0 * b0 >> 32);
  const ulong other = a0 * b1 + (middle & 0xffffffffu);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

// As a cast has it: to fractions by way of float; integers wrap.
inline void store(device float* y, long number) { *y = float(number); }
inline void store(device half* y, long number) { *y = half(float(number)); }
inline void store(device long* y, long number) { *y = number; }
inline void store(device int* y, long number) { *y = int(number); }
inline void store(device short* y, long number) { *y = short(number); }
inline void store(device char* y, long number) { *y = char(number); }
#if __METAL_VERSION__ >= 310
inline void store(device bfloat* y, long number) { *y = bfloat(float(number)); }
#endif

template <typename T>
[[kernel]] void philox_integer(device const ulong* seed [[buffer(0)]],
                               device const ulong* offset [[buffer(1)]],
                               device T* y [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                               constant PhiloxParameters& p [[buffer(4)]],
                               device const long* low [[buffer(5)]],
                               device const long* high [[buffer(6)]],
                               constant BoundsParameters& bounds [[buffer(7)]],
                               device Faults* faults [[buffer(8)]],
                               uint index [[thread_position_in_grid]]) {
  const long first = low[bounds.low_at], end = high[bounds.high_at];
  if (first >= end) {
    if (index == 0) faults->kind = 3;
    return;
  }
  const ulong range = ulong(end) - ulong(first);
  const PhiloxBlock block = block_at(seed, offset, p, index);
  for (uint k = 0; k < 2 && index * 2 + k < axes.count; ++k) {
    const ulong bits = ulong(block.words[2 * k + 1]) << 32 | ulong(block.words[2 * k]);
    store(y + positions_of(axes, index * 2 + k).at[0],
          long(ulong(first) + multiply_high(bits, range)));
  }
}

template [[host_name("philox_integer_float")]] kernel decltype(philox_integer<float>)
    philox_integer<float>;
template [[host_name("philox_integer_half")]] kernel decltype(philox_integer<half>)
    philox_integer<half>;
template [[host_name("philox_integer_long")]] kernel decltype(philox_integer<long>)
    philox_integer<long>;
template [[host_name("philox_integer_int")]] kernel decltype(philox_integer<int>)
    philox_integer<int>;
template [[host_name("philox_integer_short")]] kernel decltype(philox_integer<short>)
    philox_integer<short>;
template [[host_name("philox_integer_char")]] kernel decltype(philox_integer<char>)
    philox_integer<char>;

#if __METAL_VERSION__ >= 310
template [[host_name("philox_uniform_bfloat")]] kernel decltype(philox_uniform<bfloat>)
    philox_uniform<bfloat>;
template [[host_name("philox_normal_bfloat")]] kernel decltype(philox_normal<bfloat>)
    philox_normal<bfloat>;
template [[host_name("philox_integer_bfloat")]] kernel decltype(philox_integer<bfloat>)
    philox_integer<bfloat>;
#endif
