// The values of binary_functions.h, and what they are made of.
#pragma once

#include <metal_stdlib>
#include "binary_functions.h"
#include "log1p.h"
#include "power.h"
using namespace metal;

inline float least_of(float x, float y) { return isnan(x) ? x : isnan(y) ? y : min(x, y); }
inline float most_of(float x, float y) { return isnan(x) ? x : isnan(y) ? y : max(x, y); }

// The remainder with the sign of the divisor.
inline float modulo(float x, float y) {
  const float rest = fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

// From the exact remainder, as the rounded quotient may already be the next integer; a zero
// has the quotient's sign.
inline float floor_quotient(float x, float y) {
  if (y == 0) return x / y;
  const float rest = fmod(x, y);
  const float quotient = (x - rest) / y;
  const float whole = rint(rest != 0 && (rest < 0) != (y < 0) ? quotient - 1.0f : quotient);
  return whole == 0 ? copysign(0.0f, x / y) : whole;
}

// By the quotient of the smaller and the larger, whose square does not overflow.
inline float distance_of(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  const float larger = most_of(abs(x), abs(y)), smaller = least_of(abs(x), abs(y));
  if (larger == 0 || isnan(larger)) return larger;
  const float quotient = smaller / larger;
  return larger * sqrt(1.0f + quotient * quotient);
}

// The logarithm of exp(x) + exp(y).
inline float log_of_powers(float x, float y) {
  if (x == y && isinf(x)) return x;
  return most_of(x, y) + logarithm_of_one_more(exp(-abs(x - y)));
}

#define FUNCTION(op, value) \
  case BinaryFunction::op: return value;
inline float binary_value(uint function, float x, float y) {
  switch (BinaryFunction(function)) {
    BINARY_FUNCTIONS(FUNCTION)
    OWN_BINARY_FUNCTIONS(FUNCTION)
    BINARY_FORMS(FUNCTION)
  }
  return NAN;
}
#undef FUNCTION

// Division by zero has no meaning for integers; it gives 0 here, and does not trap. The least
// number by -1 wraps round.
template <typename T>
inline bool is_minus_one(T x) {
  return x < T(0) && x == T(-1);
}

template <typename T>
inline T quotient(T x, T y) {
  if (y == T(0)) return T(0);
  return is_minus_one(y) ? T(0) - x : x / y;
}

template <typename T>
inline T remainder_of(T x, T y) {
  return y == T(0) || is_minus_one(y) ? T(0) : x % y;
}

template <typename T>
inline T integer_modulo(T x, T y) {
  const T rest = remainder_of(x, y);
  return rest != T(0) && (rest < T(0)) != (y < T(0)) ? rest + y : rest;
}

template <typename T>
inline T integer_floor_quotient(T x, T y) {
  const T rest = remainder_of(x, y), whole = quotient(x, y);
  return rest != T(0) && (rest < T(0)) != (y < T(0)) ? whole - T(1) : whole;
}

#define FUNCTION(op, value) \
  case IntegerBinaryFunction::op: return value;
template <typename T>
inline T integer_binary_value(uint function, T x, T y) {
  switch (IntegerBinaryFunction(function)) {
    INTEGER_BINARY_FUNCTIONS(FUNCTION)
    OWN_INTEGER_BINARY_FUNCTIONS(FUNCTION)
    INTEGER_BINARY_FORMS(FUNCTION)
    LOGICAL_FUNCTIONS(FUNCTION)
  }
  return T(0);
}
#undef FUNCTION

#define FUNCTION(op, value) \
  case Comparison::op: return value;
template <typename T>
inline bool compared(uint function, T x, T y) {
  switch (Comparison(function)) { COMPARISONS(FUNCTION) }
  return false;
}
#undef FUNCTION
