#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; constant uint t[2] = {n, 2}; kernel void k(device float *x [[buffer(0)]]) { x[0] = t[0]; }
