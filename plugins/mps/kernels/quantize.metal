// Between real numbers and small integers. Formulas: ONNX operators QuantizeLinear-21 and
// DequantizeLinear-21.
#include <metal_stdlib>
#include "elements.h"
using namespace metal;

struct Quantization {
  int least;
  int most;
  uint has_zero;
};

// Operands: x, the scale, the zero point, the result. NaN becomes 0.
template <typename T, typename Q>
[[kernel]] void quantize(device const T* x [[buffer(0)]], device const T* scale [[buffer(1)]],
                         device const Q* zero [[buffer(2)]], device Q* y [[buffer(3)]],
                         constant Axes& axes [[buffer(4)]],
                         constant Quantization& quantization [[buffer(5)]],
                         uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const float divisor = float(scale[position_of(elements, 1, i)]);
    float value = rint(float(x[position_of(elements, 0, i)]) / divisor);
    if (quantization.has_zero != 0) value += float(zero[position_of(elements, 2, i)]);
    const bool is_number = !isnan(value);
    const float kept = clamp(value, float(quantization.least), float(quantization.most));
    y[position_of(elements, 3, i)] = is_number ? Q(int(kept)) : Q(0);
  }
}

template [[host_name("quantize_float_char")]] kernel decltype(quantize<float, char>)
    quantize<float, char>;
template [[host_name("quantize_float_uchar")]] kernel decltype(quantize<float, uchar>)
    quantize<float, uchar>;
template [[host_name("quantize_float_short")]] kernel decltype(quantize<float, short>)
    quantize<float, short>;
template [[host_name("quantize_half_char")]] kernel decltype(quantize<half, char>)
    quantize<half, char>;
template [[host_name("quantize_half_uchar")]] kernel decltype(quantize<half, uchar>)
    quantize<half, uchar>;
template [[host_name("quantize_half_short")]] kernel decltype(quantize<half, short>)
    quantize<half, short>;

// Operands: x, the scale, the zero point, the result. The difference is exact before it is rounded.
template <typename Q, typename T>
[[kernel]] void dequantize(device const Q* x [[buffer(0)]], device const T* scale [[buffer(1)]],
                           device const Q* zero [[buffer(2)]], device T* y [[buffer(3)]],
                           constant Axes& axes [[buffer(4)]],
                           constant Quantization& quantization [[buffer(5)]],
                           uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    long difference = long(x[position_of(elements, 0, i)]);
    if (quantization.has_zero != 0) difference -= long(zero[position_of(elements, 2, i)]);
    const float factor = float(scale[position_of(elements, 1, i)]);
    y[position_of(elements, 3, i)] = T(float(difference) * factor);
  }
}

template [[host_name("dequantize_char_float")]] kernel decltype(dequantize<char, float>)
    dequantize<char, float>;
template [[host_name("dequantize_uchar_float")]] kernel decltype(dequantize<uchar, float>)
    dequantize<uchar, float>;
template [[host_name("dequantize_short_float")]] kernel decltype(dequantize<short, float>)
    dequantize<short, float>;
template [[host_name("dequantize_int_float")]] kernel decltype(dequantize<int, float>)
    dequantize<int, float>;
template [[host_name("dequantize_char_half")]] kernel decltype(dequantize<char, half>)
    dequantize<char, half>;
template [[host_name("dequantize_uchar_half")]] kernel decltype(dequantize<uchar, half>)
    dequantize<uchar, half>;
template [[host_name("dequantize_short_half")]] kernel decltype(dequantize<short, half>)
    dequantize<short, half>;
template [[host_name("dequantize_int_half")]] kernel decltype(dequantize<int, half>)
    dequantize<int, half>;
