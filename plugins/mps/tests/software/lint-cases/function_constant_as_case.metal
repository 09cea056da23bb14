#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; kernel void k(device float *x [[buffer(0)]]) { switch (int(x[0])) { case n: x[0] = 2; } }
