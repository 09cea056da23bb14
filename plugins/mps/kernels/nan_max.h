// The larger of two numbers, or NaN where one of them is.
#pragma once

#include <metal_stdlib>
using namespace metal;

inline float larger(float x, float y) { return isnan(x) ? x : isnan(y) ? y : max(x, y); }
