// Functions that layers end in, on float. NaN stays NaN.
#pragma once

#include <metal_stdlib>
using namespace metal;

// log(1 + x) of x >= 0: the quotient undoes what the sum with 1 rounds off.
inline float log_of_one_more(float x) {
  const float y = 1.0f + x;
  return y == 1.0f ? x : log(y) * (x / (y - 1.0f));
}

inline float softplus(float x) { return max(x, 0.0f) + log_of_one_more(exp(-abs(x))); }

inline float sigmoid(float x) {
  const float e = exp(-abs(x));
  return x < 0 ? e / (1.0f + e) : 1.0f / (1.0f + e);
}

inline float positive_part(float x) { return isnan(x) ? x : max(x, 0.0f); }

inline float bounded(float x, float least, float most) {
  return isnan(x) ? x : min(max(x, least), most);
}
