#include <metal_stdlib>
using namespace metal;
float h(float v) { threadgroup float t[4]; t[0] = v; return t[0]; } kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = h(x[i]); }
