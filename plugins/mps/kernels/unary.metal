// One input, one output, element by element. Arithmetic is in float whatever the type.
#include <metal_stdlib>
#include "axes.h"
#include "unary_value.h"
using namespace metal;

struct UnaryParameters {
  uint operation;  // a position in ops/unary.cpp's table
  float alpha;
  float beta;
};

template <typename T>
[[kernel]] void unary(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                      constant Axes& axes [[buffer(2)]],
                      constant UnaryParameters& parameters [[buffer(3)]],
                      uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  y[places.at[1]] = T(unary_value(parameters.operation, float(x[places.at[0]]), parameters.alpha,
                                  parameters.beta));
}

template [[host_name("unary_float")]] kernel decltype(unary<float>) unary<float>;
template [[host_name("unary_half")]] kernel decltype(unary<half>) unary<half>;

template <typename T>
[[kernel]] void integer_unary(device const T* x [[buffer(0)]], device T* y [[buffer(1)]],
                              constant Axes& axes [[buffer(2)]],
                              constant UnaryParameters& parameters [[buffer(3)]],
                              uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  y[places.at[1]] = integer_unary_value(parameters.operation, x[places.at[0]]);
}

template [[host_name("integer_unary_int")]] kernel decltype(integer_unary<int>) integer_unary<int>;
template [[host_name("integer_unary_long")]] kernel decltype(integer_unary<long>)
    integer_unary<long>;

// To booleans. 0 is NaN, 1 infinite of the signs that alpha (negative) and beta (positive) ask for.
template <typename T>
[[kernel]] void classify(device const T* x [[buffer(0)]], device uchar* y [[buffer(1)]],
                         constant Axes& axes [[buffer(2)]],
                         constant UnaryParameters& parameters [[buffer(3)]],
                         uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  const float value = float(x[places.at[0]]);
  const bool infinite = isinf(value) && (value < 0 ? parameters.alpha : parameters.beta) != 0;
  y[places.at[1]] = (parameters.operation == 0 ? isnan(value) : infinite) ? 1 : 0;
}

template [[host_name("classify_float")]] kernel decltype(classify<float>) classify<float>;
template [[host_name("classify_half")]] kernel decltype(classify<half>) classify<half>;

[[kernel]] void logical_not(device const uchar* x [[buffer(0)]], device uchar* y [[buffer(1)]],
                            constant Axes& axes [[buffer(2)]],
                            constant UnaryParameters& parameters [[buffer(3)]],
                            uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  y[places.at[1]] = x[places.at[0]] == 0 ? 1 : 0;
}

#if __METAL_VERSION__ >= 310
template [[host_name("unary_bfloat")]] kernel decltype(unary<bfloat>) unary<bfloat>;
template [[host_name("classify_bfloat")]] kernel decltype(classify<bfloat>) classify<bfloat>;
#endif
