// Sums of products of up to three tensors. `outer` walks the result's labels, operands 0 to 2 the
// inputs and 3 the result; `inner` walks the labels that are summed, in the inputs. A thread a
// result.
#include <metal_stdlib>
#include "axes.h"
#include "long_sum.h"
using namespace metal;

struct EinsumParameters {
  uint terms;
};

// Sums and products are of type W.
template <typename T, typename W>
[[kernel]] void einsum(device const T* x0 [[buffer(0)]], device const T* x1 [[buffer(1)]],
                       device const T* x2 [[buffer(2)]], device T* y [[buffer(3)]],
                       constant Axes& outer [[buffer(4)]], constant Axes& inner [[buffer(5)]],
                       constant EinsumParameters& parameters [[buffer(6)]],
                       uint index [[thread_position_in_grid]]) {
  const Positions from = positions_of(outer, index);
  LongSum<W> sum = {W(0), W(0)};
  for (uint i = 0; i < inner.count; ++i) {
    const Positions along = positions_of(inner, i);
    W product = W(x0[from.at[0] + along.at[0]]);
    if (parameters.terms > 1) product *= W(x1[from.at[1] + along.at[1]]);
    if (parameters.terms > 2) product *= W(x2[from.at[2] + along.at[2]]);
    sum = plus(sum, product);
  }
  y[from.at[3]] = T(total(sum));
}

template [[host_name("einsum_float")]] kernel decltype(einsum<float, float>) einsum<float, float>;
template [[host_name("einsum_half")]] kernel decltype(einsum<half, float>) einsum<half, float>;
template [[host_name("einsum_char")]] kernel decltype(einsum<char, long>) einsum<char, long>;
template [[host_name("einsum_uchar")]] kernel decltype(einsum<uchar, long>) einsum<uchar, long>;
template [[host_name("einsum_short")]] kernel decltype(einsum<short, long>) einsum<short, long>;
template [[host_name("einsum_int")]] kernel decltype(einsum<int, long>) einsum<int, long>;
template [[host_name("einsum_long")]] kernel decltype(einsum<long, long>) einsum<long, long>;

#if __METAL_VERSION__ >= 310
template [[host_name("einsum_bfloat")]] kernel decltype(einsum<bfloat, float>)
    einsum<bfloat, float>;
#endif
