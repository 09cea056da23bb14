// Random numbers, as ops/random/random.cpp has them: a thread writes what one Philox block gives,
// from the element on that the block is the first for. `axes` walks the result, its operand 0.
#pragma once

#include <metal_stdlib>
#include "axes.h"
#include "philox.h"
using namespace metal;

// From [0, 1), a multiple of 2^-24.
inline float uniform_float(uint bits) { return float(bits >> 8) * 5.9604644775390625e-8f; }

// The product is rounded by itself: a compiler may not join it to the sum.
template <typename T>
inline void write_uniform(PhiloxBlock block, device T* y, constant Axes& axes, uint index,
                          float low, float range) {
  for (uint k = 0; k < 4 && index * 4 + k < axes.count; ++k) {
    const float scaled = fma(uniform_float(block.words[k]), range, 0.0f);
    y[positions_of(axes, index * 4 + k).at[0]] = T(scaled + low);
  }
}

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

struct SineAndCosine {
  float cosine;
  float sine;
};

// Of bits / 2^53 of a turn. Eighths are folded in integers, so that small results keep all
// their digits.
inline SineAndCosine sine_and_cosine(ulong bits) {
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
inline void write_normal(PhiloxBlock block, device T* y, constant Axes& axes, uint index,
                         float mean, float scale) {
  const float radius = sqrt(-2.0f * logarithm_below(bits_of(block.words[0], block.words[1])));
  const SineAndCosine angle = sine_and_cosine(bits_of(block.words[2], block.words[3]));
  y[positions_of(axes, index * 2).at[0]] = T(radius * angle.cosine * scale + mean);
  if (index * 2 + 1 < axes.count) {
    y[positions_of(axes, index * 2 + 1).at[0]] = T(radius * angle.sine * scale + mean);
  }
}
