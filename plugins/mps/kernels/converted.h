// Numbers on their way from one type to another.
#pragma once

#include <metal_stdlib>
using namespace metal;

// Through a wide type: float for fractions, long for integers. A fraction becomes an integer
// towards zero; NaN becomes 0 and what is out of range the nearest integer of the type. Integers
// wrap.
struct Converted {
  float fraction;
  long whole;
  bool is_whole;
};

inline Converted load(float x) { return {x, 0, false}; }
inline Converted load(half x) { return {float(x), 0, false}; }
#if __METAL_VERSION__ >= 310
inline Converted load(bfloat x) { return {float(x), 0, false}; }
#endif
inline Converted load(long x) { return {0, x, true}; }
inline Converted load(int x) { return {0, long(x), true}; }
inline Converted load(short x) { return {0, long(x), true}; }
inline Converted load(char x) { return {0, long(x), true}; }
inline Converted load(uchar x) { return {0, long(x), true}; }

inline long whole_of(Converted value) {
  if (value.is_whole) return value.whole;
  if (isnan(value.fraction)) return 0;
  if (value.fraction >= 9.2233715e18f) return 0x7fffffffffffffffL;
  if (value.fraction <= -9.2233715e18f) return -0x7fffffffffffffffL - 1;
  return long(value.fraction);
}

// Of an integer type.
template <typename T>
inline T whole_as(Converted value) {
  const long whole = whole_of(value);
  if (value.is_whole) return T(whole);
  const long least = long(numeric_limits<T>::min()), most = long(numeric_limits<T>::max());
  return T(whole < least ? least : whole > most ? most : whole);
}

inline float fraction_of(Converted value) {
  return value.is_whole ? float(value.whole) : value.fraction;
}

inline bool is_set(Converted value) {
  return value.is_whole ? value.whole != 0 : value.fraction != 0;
}
