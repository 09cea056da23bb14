// Products of small integers less their zero points, summed in int32, which wraps. Formulas: ONNX
// operators MatMulInteger-10 and ConvInteger-10.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

// Positions are in elements; zero points are single numbers.
struct ZeroPoints {
  uint has_x;
  uint has_w;
  uint x_at;
  uint w_at;
};

struct IntegerProduct {
  ZeroPoints zeros;
  uint depth;
  int a_step;
  int b_step;
};

// The walk gives a's row, b's column and the result. A thread an element.
template <typename A, typename B>
[[kernel]] void integer_product(device const A* a [[buffer(0)]], device const B* b [[buffer(1)]],
                                device int* y [[buffer(2)]], device const A* a_zero [[buffer(3)]],
                                device const B* b_zero [[buffer(4)]],
                                constant Axes& axes [[buffer(5)]],
                                constant IntegerProduct& product [[buffer(6)]],
                                uint index [[thread_position_in_grid]]) {
  const Positions positions = positions_of(axes, index);
  const int less_a = product.zeros.has_x != 0 ? int(a_zero[product.zeros.x_at]) : 0;
  const int less_b = product.zeros.has_w != 0 ? int(b_zero[product.zeros.w_at]) : 0;
  uint a_at = positions.at[0];
  uint b_at = positions.at[1];
  uint sum = 0;
  for (uint k = 0; k < product.depth; ++k) {
    sum += uint((int(a[a_at]) - less_a) * (int(b[b_at]) - less_b));
    a_at += uint(product.a_step);
    b_at += uint(product.b_step);
  }
  y[positions.at[2]] = int(sum);
}

template [[host_name("integer_product_char_char")]] kernel decltype(integer_product<char, char>)
    integer_product<char, char>;
template [[host_name("integer_product_char_uchar")]] kernel decltype(integer_product<char, uchar>)
    integer_product<char, uchar>;
template [[host_name("integer_product_uchar_char")]] kernel decltype(integer_product<uchar, char>)
    integer_product<uchar, char>;
template [[host_name("integer_product_uchar_uchar")]] kernel decltype(integer_product<uchar, uchar>)
    integer_product<uchar, uchar>;

// Two spatial axes. Steps and offsets are in elements: image, channel, row, column.
struct IntegerConvolution {
  ZeroPoints zeros;
  uint channels;  // of a group, that the result's are summed over
  uint made;      // channels of a group that are made
  int extents[2];
  int size[2];
  int strides[2];
  int dilations[2];
  int padding[2];
  uint result[4];  // extents
  int x_steps[4];
  int w_steps[4];
  int y_steps[4];
  uint x_at;
  uint w_at;
  uint y_at;
};

// Padding is x's zero point, so it adds nothing. A thread an element of the result.
template <typename X, typename W>
[[kernel]] void integer_convolution(device const X* x [[buffer(0)]],
                                    device const W* w [[buffer(1)]], device int* y [[buffer(2)]],
                                    device const X* x_zero [[buffer(3)]],
                                    device const W* w_zero [[buffer(4)]],
                                    constant IntegerConvolution& c [[buffer(5)]],
                                    uint index [[thread_position_in_grid]]) {
  const int column = int(index % c.result[3]);
  const int row = int(index / c.result[3] % c.result[2]);
  const uint made = index / (c.result[3] * c.result[2]) % c.result[1];
  const uint image = index / (c.result[3] * c.result[2] * c.result[1]);
  const int less_x = c.zeros.has_x != 0 ? int(x_zero[c.zeros.x_at]) : 0;
  const int less_w = c.zeros.has_w != 0 ? int(w_zero[c.zeros.w_at]) : 0;
  const uint first_channel = made / c.made * c.channels;
  uint sum = 0;
  for (int i = 0; i < c.size[0]; ++i) {
    const int from_row = row * c.strides[0] - c.padding[0] + i * c.dilations[0];
    if (from_row < 0 || from_row >= c.extents[0]) continue;
    for (int j = 0; j < c.size[1]; ++j) {
      const int from_column = column * c.strides[1] - c.padding[1] + j * c.dilations[1];
      if (from_column < 0 || from_column >= c.extents[1]) continue;
      uint x_at = c.x_at + image * uint(c.x_steps[0]) + first_channel * uint(c.x_steps[1]) +
                  uint(from_row) * uint(c.x_steps[2]) + uint(from_column) * uint(c.x_steps[3]);
      uint w_at = c.w_at + made * uint(c.w_steps[0]) + uint(i) * uint(c.w_steps[2]) +
                  uint(j) * uint(c.w_steps[3]);
      for (uint k = 0; k < c.channels; ++k) {
        sum += uint((int(x[x_at]) - less_x) * (int(w[w_at]) - less_w));
        x_at += uint(c.x_steps[1]);
        w_at += uint(c.w_steps[1]);
      }
    }
  }
  y[c.y_at + image * uint(c.y_steps[0]) + made * uint(c.y_steps[1]) +
    uint(row) * uint(c.y_steps[2]) + uint(column) * uint(c.y_steps[3])] = int(sum);
}

template [[host_name("integer_convolution_char_char")]] kernel
    decltype(integer_convolution<char, char>) integer_convolution<char, char>;
template [[host_name("integer_convolution_char_uchar")]] kernel
    decltype(integer_convolution<char, uchar>) integer_convolution<char, uchar>;
template [[host_name("integer_convolution_uchar_char")]] kernel
    decltype(integer_convolution<uchar, char>) integer_convolution<uchar, char>;
template [[host_name("integer_convolution_uchar_uchar")]] kernel
    decltype(integer_convolution<uchar, uchar>) integer_convolution<uchar, uchar>;
