// Powers of floats and of integers.
#pragma once

#include <metal_stdlib>
using namespace metal;

inline float power(float x, float y) {
  if (y == 0 || x == 1.0f) return 1.0f;
  return pow(x, y);
}

// To a negative power only 1 and -1 are integers; the rest becomes 0.
template <typename T>
inline T integer_power(T base, T exponent) {
  if (exponent < T(0)) {
    const bool is_odd = exponent % T(2) != T(0);
    return base == T(1) ? T(1) : T(0) - base == T(1) ? (is_odd ? base : T(1)) : T(0);
  }
  T result = 1;
  for (; exponent > T(0); exponent = exponent / T(2)) {
    if (exponent % T(2) != T(0)) result = result * base;
    base = base * base;
  }
  return result;
}
