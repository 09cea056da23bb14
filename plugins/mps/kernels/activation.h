// Functions that layers end in, on float. NaN stays NaN.
#pragma once

#include <metal_stdlib>
using namespace metal;

inline float softplus(float x) { return max(x, 0.0f) + log(1.0f + exp(-abs(x))); }

inline float sigmoid(float x) {
  const float e = exp(-abs(x));
  return x < 0 ? e / (1.0f + e) : 1.0f / (1.0f + e);
}

inline float positive_part(float x) { return isnan(x) ? x : max(x, 0.0f); }

inline float bounded(float x, float least, float most) {
  return isnan(x) ? x : min(max(x, least), most);
}
