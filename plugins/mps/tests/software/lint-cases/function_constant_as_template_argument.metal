#include <metal_stdlib>
using namespace metal;
constant uint n [[function_constant(0)]]; template <uint m> float f() { return m; } kernel void k(device float *x [[buffer(0)]]) { x[0] = f<n>(); }
