// The values of unary_functions.h, and what they are made of.
#pragma once

#include <metal_stdlib>
#include "activation.h"
#include "gamma.h"
#include "log1p.h"
#include "unary_functions.h"
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

// 1 - erf(x): exp(-x^2) / (x + 2) times a polynomial. The square comes in two parts, of which the
// first is exact, as exp multiplies errors.
inline float complementary_error_function(float x) {
  if (isnan(x)) return x;
  if (abs(x) < 0.8f) return 1.0f - error_function(x);
  const float size = min(abs(x), 10.5f);  // from 10.06 on the result is 0
  const float q = (size - 2.0f) / (size + 2.0f);
  float sum = 6.719499652e-5f;
  sum = sum * q + 6.808503531e-5f;
  sum = sum * q - 5.603025202e-4f;
  sum = sum * q - 8.492202032e-4f;
  sum = sum * q + 3.032042878e-3f;
  sum = sum * q + 6.480352487e-3f;
  sum = sum * q - 2.149626799e-2f;
  sum = sum * q - 3.644229099e-2f;
  sum = sum * q + 2.794708312e-1f;
  sum = sum * q - 6.871606708e-1f;
  sum = sum * q + 1.021582723f;
  const float high = rint(size * 128.0f) * 0.0078125f;
  const float rest = (size - high) * (size + high);
  const float tail = sum / (size + 2.0f) * exp(-rest) * exp(-high * high);
  return x < 0 ? 2.0f - tail : tail;
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

// exp(x) - 1 cancels near 0, where it is 2 t / (1 - t) with t = tanh(x / 2).
inline float exponential_less_one(float x) {
  if (abs(x) < 0.5f) {
    const float t = tanh(0.5f * x);
    return 2.0f * t / (1.0f - t);
  }
  return exp(x) - 1.0f;
}

inline float sign_of(float x) { return isnan(x) ? x : x > 0 ? 1.0f : x < 0 ? -1.0f : 0.0f; }

inline float selu(float x, float alpha, float gamma) {
  return x > 0 ? gamma * x : isnan(x) ? x : gamma * alpha * (exp(x) - 1.0f);
}

inline float gelu_by_tanh(float x) {
  return 0.5f * x * (1.0f + tanh(0.7978845608f * (x + 0.044715f * x * x * x)));
}

#define FUNCTION(op, domain, alpha, beta, value) \
  case UnaryFunction::op: return value;
inline float unary_value(uint function, float x, float alpha, float beta) {
  switch (UnaryFunction(function)) {
    UNARY_FUNCTIONS(FUNCTION)
    case UnaryFunction::GeluByTanh: return gelu_by_tanh(x);
  }
  return NAN;
}
#undef FUNCTION

#define FUNCTION(op, value) \
  case IntegerUnaryFunction::op: return value;
template <typename T>
inline T integer_unary_value(uint function, T x) {
  switch (IntegerUnaryFunction(function)) { INTEGER_UNARY_FUNCTIONS(FUNCTION) }
  return T(0);
}
#undef FUNCTION
