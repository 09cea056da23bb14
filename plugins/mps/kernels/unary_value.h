// Functions of one number, by their position in ops/elementwise/unary.cpp's table.
#pragma once

#include <metal_stdlib>
#include "activation.h"
using namespace metal;

// Abramowitz and Stegun 7.1.26 is too coarse; this is W. J. Cody's rational approximation
// (Math. Comp. 23, 1969), good to float precision.
inline float error_function(float x) {
  const float size = abs(x);
  if (isnan(x)) return x;
  if (size < 0.5f) {
    const float z = x * x;
    const float top =
        ((((1.857777061846031527e-1f * z + 3.161123743870565597f) * z + 1.138641541510501556e2f) *
              z +
          3.774852376853020208e2f) *
             z +
         3.209377589138469473e3f);
    const float bottom = ((((z + 2.360129095234412093e1f) * z + 2.440246379344441733e2f) * z +
                           1.282616526077372276e3f) *
                              z +
                          2.844236833439170622e3f);
    return x * top / bottom;
  }
  if (size > 4.0f) return x < 0 ? -1.0f : 1.0f;
  float top = 2.15311535474403846343e-8f, bottom = 1.0f;
  top = top * size + 5.64188496988670089180e-1f;
  top = top * size + 8.88314979438837594118f;
  top = top * size + 6.61191906371416294775e1f;
  top = top * size + 2.98635138197400131132e2f;
  top = top * size + 8.81952221241769090411e2f;
  top = top * size + 1.71204761263407058314e3f;
  top = top * size + 2.05107837782607146532e3f;
  top = top * size + 1.23033935479799725272e3f;
  bottom = bottom * size + 1.57449261107098347253e1f;
  bottom = bottom * size + 1.17693950891312499305e2f;
  bottom = bottom * size + 5.37181101862009857509e2f;
  bottom = bottom * size + 1.62138957456669018874e3f;
  bottom = bottom * size + 3.29079923573345962678e3f;
  bottom = bottom * size + 4.36261909014324715820e3f;
  bottom = bottom * size + 3.43936767414372163696e3f;
  bottom = bottom * size + 1.23033935480374942043e3f;
  const float tail = exp(-x * x) * top / bottom;
  return x < 0 ? tail - 1.0f : 1.0f - tail;
}

inline float hyperbolic_sine(float x) {
  if (abs(x) < 0.5f) {
    const float z = x * x;
    return x * (1.0f + z * (1.0f / 6 + z * (1.0f / 120 + z * (1.0f / 5040))));
  }
  return 0.5f * (exp(x) - exp(-x));
}

inline float inverse_hyperbolic_sine(float x) {
  const float size = abs(x);
  if (size < 0.1f) {
    const float z = x * x;
    return x * (1.0f - z * (1.0f / 6 - z * (3.0f / 40 - z * (15.0f / 336))));
  }
  const float value =
      size > 1e18f ? log(size) + 0.69314718056f : log(size + sqrt(size * size + 1.0f));
  return x < 0 ? -value : value;
}

inline float inverse_hyperbolic_tangent(float x) {
  if (abs(x) < 0.1f) {
    const float z = x * x;
    return x * (1.0f + z * (1.0f / 3 + z * (1.0f / 5 + z * (1.0f / 7 + z * (1.0f / 9)))));
  }
  return 0.5f * log((1.0f + x) / (1.0f - x));
}

// exp(x) - 1 cancels near 0, where it is 2 t / (1 - t) with t = tanh(x / 2).
inline float exponential_less_one(float x) {
  if (abs(x) < 0.5f) {
    const float t = tanh(0.5f * x);
    return 2.0f * t / (1.0f - t);
  }
  return exp(x) - 1.0f;
}

// 1 + x loses digits near 0, where the logarithm is 2 atanh(x / (2 + x)).
inline float logarithm_of_one_more(float x) {
  if (abs(x) < 0.5f) return 2.0f * inverse_hyperbolic_tangent(x / (2.0f + x));
  return log(1.0f + x);
}

inline float sign_of(float x) { return isnan(x) ? x : x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f; }

inline float gelu_by_tanh(float x) {
  return 0.5f * x * (1.0f + tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

inline float unary_value(uint operation, float x, float alpha, float beta) {
  switch (operation) {
    case 0: return abs(x);
    case 1: return acos(x);
    case 2: return x < 1.0f ? NAN : log(x + sqrt(x - 1.0f) * sqrt(x + 1.0f));
    case 3: return asin(x);
    case 4: return inverse_hyperbolic_sine(x);
    case 5: return atan(x);
    case 6: return inverse_hyperbolic_tangent(x);
    case 7: return ceil(x);
    case 8: return x > 0 ? x : isnan(x) ? x : alpha * (exp(x / alpha) - 1.0f);
    case 10: return cos(x);
    case 11: return 0.5f * (exp(x) + exp(-x));
    case 12: return x >= 0 ? x : alpha * (exp(x) - 1.0f);
    case 13: return error_function(x);
    case 14: return exp(x);
    case 15: return floor(x);
    case 16: return 0.5f * x * (1.0f + error_function(x * 0.70710678118f));
    case 17: return gelu_by_tanh(x);
    case 18: return bounded(alpha * x + beta, 0.0f, 1.0f);
    case 19: return x * bounded(x / 6.0f + 0.5f, 0.0f, 1.0f);
    case 21: return x >= 0 ? x : alpha * x;
    case 22: return log(x);
    case 23: return x * tanh(softplus(x));
    case 24: return -x;
    case 25: return 1.0f / x;
    case 26: return positive_part(x);
    case 27: return rint(x);
    case 28: return x > 0 ? beta * x : isnan(x) ? x : beta * alpha * (exp(x) - 1.0f);
    case 29: return isnan(x) ? x : sigmoid(x);
    case 30: return sign_of(x);
    case 31: return sin(x);
    case 32: return hyperbolic_sine(x);
    case 33: return softplus(x);
    case 34: return x / (1.0f + abs(x));
    case 35: return sqrt(x);
    case 36: return tan(x);
    case 37: return tanh(x);
    case 38: return x > alpha ? x : 0.0f;  // NaN is not larger
    case 39: return exp2(x);
    case 40: return exponential_less_one(x);
    case 41: return logarithm_of_one_more(x);
    case 42: return log2(x);
    case 43: return log10(x);
    case 44: return rsqrt(x);
    case 45: return trunc(x);
  }
  return NAN;
}

// Integers: 0 absolute, 1 negative, 2 sign.
template <typename T>
inline T integer_unary_value(uint operation, T x) {
  if (operation == 0) return x < T(0) ? T(0) - x : x;
  if (operation == 1) return T(0) - x;
  return x > T(0) ? T(1) : x < T(0) ? T(0) - T(1) : T(0);
}
