#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; kernel void k(device float *x [[buffer(0)]]) { float t[n + 1]; t[0] = 1.0f; x[0] = t[0]; }
