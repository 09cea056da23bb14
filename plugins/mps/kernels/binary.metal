// Two inputs, one output, element by element. Floats compute in float whatever the type.
#include <metal_stdlib>
#include "axes.h"
#include "power.h"
using namespace metal;

// A position in ops/binary.cpp's table.
struct BinaryParameters {
  uint operation;
};

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
  }
  return NAN;
}

// Division by zero has no meaning for integers; it gives 0 here, and does not trap.
template <typename T>
inline T integer_binary_value(uint operation, T x, T y) {
  switch (operation) {
    case 0: return x + y;
    case 1: return y == T(0) ? T(0) : x / y;
    case 2: return x < y ? y : x;
    case 3: return y < x ? y : x;
    case 4: {
      if (y == T(0)) return T(0);
      const T rest = x % y;
      return rest != T(0) && (rest < T(0)) != (y < T(0)) ? rest + y : rest;
    }
    case 5: return x * y;
    case 6: return integer_power(x, y);
    case 8: return x - y;
    case 9: return y == T(0) ? T(0) : x % y;
    case 10: return x & y;
    case 11: return x | y;
    case 12: return x ^ y;
  }
  return T(0);
}

template <typename T>
[[kernel]] void binary(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                       device T* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                       constant BinaryParameters& parameters [[buffer(4)]],
                       uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  z[places.at[2]] = T(binary_value(parameters.operation, float(x[places.at[0]]),
                                   float(y[places.at[1]])));
}

template [[host_name("binary_float")]] kernel decltype(binary<float>) binary<float>;
template [[host_name("binary_half")]] kernel decltype(binary<half>) binary<half>;

template <typename T>
[[kernel]] void integer_binary(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                               device T* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                               constant BinaryParameters& parameters [[buffer(4)]],
                               uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  z[places.at[2]] =
      integer_binary_value<T>(parameters.operation, x[places.at[0]], y[places.at[1]]);
}

template [[host_name("integer_binary_char")]] kernel decltype(integer_binary<char>)
    integer_binary<char>;
template [[host_name("integer_binary_uchar")]] kernel decltype(integer_binary<uchar>)
    integer_binary<uchar>;
template [[host_name("integer_binary_short")]] kernel decltype(integer_binary<short>)
    integer_binary<short>;
template [[host_name("integer_binary_int")]] kernel decltype(integer_binary<int>)
    integer_binary<int>;
template [[host_name("integer_binary_long")]] kernel decltype(integer_binary<long>)
    integer_binary<long>;

// To booleans: 0 equal, 1 greater, 2 greater or equal, 3 less, 4 less or equal.
template <typename T>
[[kernel]] void compare(device const T* x [[buffer(0)]], device const T* y [[buffer(1)]],
                        device uchar* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                        constant BinaryParameters& parameters [[buffer(4)]],
                        uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  const T left = x[places.at[0]];
  const T right = y[places.at[1]];
  bool result = false;
  switch (parameters.operation) {
    case 0: result = left == right; break;
    case 1: result = left > right; break;
    case 2: result = left >= right; break;
    case 3: result = left < right; break;
    case 4: result = left <= right; break;
  }
  z[places.at[2]] = result ? 1 : 0;
}

template [[host_name("compare_float")]] kernel decltype(compare<float>) compare<float>;
template [[host_name("compare_half")]] kernel decltype(compare<half>) compare<half>;
template [[host_name("compare_char")]] kernel decltype(compare<char>) compare<char>;
template [[host_name("compare_uchar")]] kernel decltype(compare<uchar>) compare<uchar>;
template [[host_name("compare_short")]] kernel decltype(compare<short>) compare<short>;
template [[host_name("compare_int")]] kernel decltype(compare<int>) compare<int>;
template [[host_name("compare_long")]] kernel decltype(compare<long>) compare<long>;

// Elements of any type by their size: condition ? x : y.
template <typename T>
[[kernel]] void choose(device const uchar* condition [[buffer(0)]],
                       device const T* x [[buffer(1)]], device const T* y [[buffer(2)]],
                       device T* z [[buffer(3)]], constant Axes& axes [[buffer(4)]],
                       uint index [[thread_position_in_grid]]) {
  const Places places = places_of(axes, index);
  z[places.at[3]] = condition[places.at[0]] != 0 ? x[places.at[1]] : y[places.at[2]];
}

template [[host_name("choose_1")]] kernel decltype(choose<uchar>) choose<uchar>;
template [[host_name("choose_2")]] kernel decltype(choose<ushort>) choose<ushort>;
template [[host_name("choose_4")]] kernel decltype(choose<uint>) choose<uint>;
template [[host_name("choose_8")]] kernel decltype(choose<ulong>) choose<ulong>;
