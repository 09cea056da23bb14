// Random numbers: element i, in row-major order, is a function of the key and i alone, as the header
// comment of ops/random.cpp has it. A thread makes what one Philox block gives.
#include <metal_stdlib>
#include "axes.h"
#include "philox.h"
using namespace metal;

struct RandomParameters {
  uint key_low;
  uint key_high;
  float low;    // the mean of normal numbers
  float range;  // their scale
};

// The product is rounded by itself: a compiler may not join it to the sum.
template <typename T>
[[kernel]] void random_uniform(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                               constant RandomParameters& p [[buffer(2)]],
                               uint index [[thread_position_in_grid]]) {
  const PhiloxBlock block = philox(index, p.key_low, p.key_high);
  for (uint k = 0; k < 4 && index * 4 + k < axes.count; ++k) {
    const float scaled = fma(uniform_float(block.words[k]), p.range, 0.0f);
    y[places_of(axes, index * 4 + k).at[0]] = T(scaled + p.low);
  }
}

template [[host_name("random_uniform_float")]] kernel decltype(random_uniform<float>)
    random_uniform<float>;
template [[host_name("random_uniform_half")]] kernel decltype(random_uniform<half>)
    random_uniform<half>;

// Of two words the upper 53 bits.
inline ulong bits_of(uint low, uint high) { return (ulong(high) << 32 | ulong(low)) >> 11; }

constant constexpr ulong whole = 1ul << 53;
constant constexpr float part = 1.1102230246251565e-16f;  // 2^-53

// log(1 - u) for u = bits / 2^53, to float precision at both ends.
inline float logarithm_below(ulong bits) {
  if (bits >= whole / 2) return log(float(whole - bits) * part);
  const float u = float(bits) * part;
  const float rest = 1.0f - u;
  return rest == 1.0f ? -u : log(rest) * (u / (1.0f - rest));
}

struct Turned {
  float cosine;
  float sine;
};

// Of bits / 2^53 of a turn. Eighths are folded in whole numbers, so that small results keep all
// their digits.
inline Turned turned(ulong bits) {
  const uint eighth = uint(bits >> 50);
  ulong along = bits & (whole / 8 - 1);
  if (eighth % 2 == 1) along = whole / 8 - along;
  const float angle = float(along) * part * 6.28318530717958647692f;
  const bool swaps = ((eighth + 1) & 2) != 0;
  const float cosine = swaps ? sin(angle) : cos(angle);
  const float sine = swaps ? cos(angle) : sin(angle);
  return {((eighth + 2) & 4) != 0 ? -cosine : cosine, eighth >= 4 ? -sine : sine};
}

template <typename T>
[[kernel]] void random_normal(device T* y [[buffer(0)]], constant Axes& axes [[buffer(1)]],
                              constant RandomParameters& p [[buffer(2)]],
                              uint index [[thread_position_in_grid]]) {
  const PhiloxBlock block = philox(index, p.key_low, p.key_high);
  const float radius = sqrt(-2.0f * logarithm_below(bits_of(block.words[0], block.words[1])));
  const Turned angle = turned(bits_of(block.words[2], block.words[3]));
  y[places_of(axes, index * 2).at[0]] = T(radius * angle.cosine * p.range + p.low);
  if (index * 2 + 1 < axes.count) {
    y[places_of(axes, index * 2 + 1).at[0]] = T(radius * angle.sine * p.range + p.low);
  }
}

template [[host_name("random_normal_float")]] kernel decltype(random_normal<float>)
    random_normal<float>;
template [[host_name("random_normal_half")]] kernel decltype(random_normal<half>)
    random_normal<half>;

struct BernoulliParameters {
  uint key_low;
  uint key_high;
  ulong one;  // the bits of 1
};

// One with each element's probability. Operand 0 is the input, 1 the result.
template <typename T, typename R>
[[kernel]] void bernoulli(device const T* x [[buffer(0)]], device R* y [[buffer(1)]],
                          constant Axes& axes [[buffer(2)]],
                          constant BernoulliParameters& p [[buffer(3)]],
                          uint index [[thread_position_in_grid]]) {
  const PhiloxBlock block = philox(index, p.key_low, p.key_high);
  for (uint k = 0; k < 4 && index * 4 + k < axes.count; ++k) {
    const Places places = places_of(axes, index * 4 + k);
    const bool comes = uniform_float(block.words[k]) < float(x[places.at[0]]);
    y[places.at[1]] = comes ? R(p.one) : R(0);
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
