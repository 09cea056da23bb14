#include <metal_stdlib>
using namespace metal;
int g(int n); int f(int n) { return n ? g(n) : 0; } int g(int n) { return f(n - 1); } kernel void k(device int *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = f(3); }
