#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; kernel void k(device float *x [[buffer(0)]]) { n = 3; x[0] = n; }
