// The logarithm of 1 + x, and what it is made of near 0.
#pragma once

#include <metal_stdlib>
using namespace metal;

inline float inverse_hyperbolic_tangent(float x) {
  if (abs(x) < 0.1f) {
    const float z = x * x;
    return x * (1.0f + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9)))));
  }
  return 0.5f * log((1.0f + x) / (1.0f - x));
}

// 1 + x loses digits near 0, where the logarithm is 2 atanh(x / (2 + x)).
inline float logarithm_of_one_more(float x) {
  if (abs(x) < 0.5f) return 2.0f * inverse_hyperbolic_tangent(x / (2.0f + x));
  return log(1.0f + x);
}
