// One input, one output, element by element. Arithmetic is in float whatever the type.
#include <metal_stdlib>
#include "elements.h"
#include "unary_value.h"
using namespace metal;

constant uint unary_operation [[function_constant(2)]];  // of unary_functions.h

struct UnaryParameters {
  float alpha;
  float beta;
};

template <typename T>
[[kernel]] void unary(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                      constant Axes& axes [[buffer(2)]],
                      constant UnaryParameters& parameters [[buffer(3)]],
                      uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const float value = float(x[position_of(elements, 0, i)]);
    y[position_of(elements, 1, i)] =
        T(unary_value(unary_operation, value, parameters.alpha, parameters.beta));
  }
}

template [[host_name("unary_float")]] kernel decltype(unary<float>) unary<float>;
template [[host_name("unary_half")]] kernel decltype(unary<half>) unary<half>;

template <typename T>
[[kernel]] void integer_unary(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                              constant Axes& axes [[buffer(2)]],
                              uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    y[position_of(elements, 1, i)] =
        integer_unary_value(unary_operation, x[position_of(elements, 0, i)]);
  }
}

template [[host_name("integer_unary_int")]] kernel decltype(integer_unary<int>) integer_unary<int>;
template [[host_name("integer_unary_long")]] kernel decltype(integer_unary<long>)
    integer_unary<long>;

// To booleans. 0 is NaN, 1 infinite of the signs that alpha (negative) and beta (positive) ask for.
template <typename T>
[[kernel]] void classify(device const T* x [[buffer(0)]], device uchar* y [[buffer(1)]],
                         constant Axes& axes [[buffer(2)]],
                         constant UnaryParameters& parameters [[buffer(3)]],
                         uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const float value = float(x[position_of(elements, 0, i)]);
    const bool infinite = isinf(value) && (value < 0 ? parameters.alpha : parameters.beta) != 0;
    y[position_of(elements, 1, i)] = (unary_operation == 0 ? isnan(value) : infinite) ? 1 : 0;
  }
}

template [[host_name("classify_float")]] kernel decltype(classify<float>) classify<float>;
template [[host_name("classify_half")]] kernel decltype(classify<half>) classify<half>;

[[kernel]] void logical_not(device const uchar* x [[buffer(0)]], device uchar* y [[buffer(1)]],
                            constant Axes& axes [[buffer(2)]],
                            uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    y[position_of(elements, 1, i)] = x[position_of(elements, 0, i)] == 0 ? 1 : 0;
  }
}

#if __METAL_VERSION__ >= 310
template [[host_name("unary_bfloat")]] kernel decltype(unary<bfloat>) unary<bfloat>;
template [[host_name("classify_bfloat")]] kernel decltype(classify<bfloat>) classify<bfloat>;
#endif
