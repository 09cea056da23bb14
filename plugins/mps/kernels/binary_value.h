// Functions of two numbers, by their position in ops/elementwise/binary.cpp's tables.
#pragma once

#include <metal_stdlib>
#include "power.h"
using namespace metal;

inline float least_of(float x, float y) { return isnan(x) ? x : isnan(y) ? y : min(x, y); }
inline float most_of(float x, float y) { return isnan(x) ? x : isnan(y) ? y : max(x, y); }

// The remainder with the sign of the divisor.
inline float modulo(float x, float y) {
  const float rest = fmod(x, y);
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

inline float binary_value(uint operation, float x, float y) {
  switch (operation) {
    case 0: return x + y;
    case 1: return x / y;
    case 2: return most_of(x, y);
    case 3: return least_of(x, y);
    case 4: return modulo(x, y);
    case 5: return x * y;
    case 6: return power(x, y);
    case 7: return x < 0 ? x * y : x;
    case 8: return x - y;
    case 9: return fmod(x, y);
    case 13: return x < y ? y : x;  // a bound y that is NaN bounds nothing, and x stays NaN
    case 14: return y < x ? y : x;
  }
  return NAN;
}

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
inline T integer_binary_value(uint operation, T x, T y) {
  switch (operation) {
    case 0: return x + y;
    case 1: return quotient(x, y);
    case 2: return x < y ? y : x;
    case 3: return y < x ? y : x;
    case 4: {
      const T rest = remainder_of(x, y);
      return rest != T(0) && (rest < T(0)) != (y < T(0)) ? rest + y : rest;
    }
    case 5: return x * y;
    case 6: return integer_power(x, y);
    case 8: return x - y;
    case 9: return remainder_of(x, y);
    case 10: return x & y;
    case 11: return x | y;
    case 12: return x ^ y;
  }
  return T(0);
}

// 0 equal, 1 greater, 2 greater or equal, 3 less, 4 less or equal.
template <typename T>
inline bool compared(uint operation, T left, T right) {
  switch (operation) {
    case 0: return left == right;
    case 1: return left > right;
    case 2: return left >= right;
    case 3: return left < right;
    case 4: return left <= right;
  }
  return false;
}
