#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; constant constexpr uint m = n + 1; kernel void k(device float *x [[buffer(0)]]) { x[0] = m; }
