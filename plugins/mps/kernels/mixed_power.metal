// Powers whose base and exponent differ in type: the exponent is float or long. The result has the
// base's type.
#include <metal_stdlib>
#include "converted.h"
#include "elements.h"
#include "power.h"
using namespace metal;

inline float mixed_power(float base, float exponent) { return power(base, exponent); }
inline float mixed_power(float base, long exponent) { return power(base, float(exponent)); }
inline long mixed_power(long base, long exponent) { return integer_power(base, exponent); }

// Exact where the exponent is whole; else towards zero.
inline long mixed_power(long base, float exponent) {
  const bool is_whole = rint(exponent) == exponent && abs(exponent) < 1e9f;
  if (is_whole) return integer_power(base, long(exponent));
  return whole_of(load(power(float(base), exponent)));
}

// Operands: the base, the exponent, the result. W is what the base is computed in.
template <typename T, typename W, typename E>
[[kernel]] void mixed_powers(device const T* x [[buffer(0)]], device const E* y [[buffer(1)]],
                             device T* z [[buffer(2)]], constant Axes& axes [[buffer(3)]],
                             uint2 position [[thread_position_in_grid]]) {
  const Elements elements = elements_of(axes, position);
  for (uint i = 0; i < elements.count; ++i) {
    const W base = W(x[position_of(elements, 0, i)]);
    z[position_of(elements, 2, i)] = T(mixed_power(base, y[position_of(elements, 1, i)]));
  }
}

template [[host_name("mixed_powers_float_float")]] kernel
    decltype(mixed_powers<float, float, float>) mixed_powers<float, float, float>;
template [[host_name("mixed_powers_float_long")]] kernel decltype(mixed_powers<float, float, long>)
    mixed_powers<float, float, long>;
template [[host_name("mixed_powers_half_float")]] kernel decltype(mixed_powers<half, float, float>)
    mixed_powers<half, float, float>;
template [[host_name("mixed_powers_half_long")]] kernel decltype(mixed_powers<half, float, long>)
    mixed_powers<half, float, long>;
template [[host_name("mixed_powers_char_float")]] kernel decltype(mixed_powers<char, long, float>)
    mixed_powers<char, long, float>;
template [[host_name("mixed_powers_char_long")]] kernel decltype(mixed_powers<char, long, long>)
    mixed_powers<char, long, long>;
template [[host_name("mixed_powers_uchar_float")]] kernel decltype(mixed_powers<uchar, long, float>)
    mixed_powers<uchar, long, float>;
template [[host_name("mixed_powers_uchar_long")]] kernel decltype(mixed_powers<uchar, long, long>)
    mixed_powers<uchar, long, long>;
template [[host_name("mixed_powers_short_float")]] kernel decltype(mixed_powers<short, long, float>)
    mixed_powers<short, long, float>;
template [[host_name("mixed_powers_short_long")]] kernel decltype(mixed_powers<short, long, long>)
    mixed_powers<short, long, long>;
template [[host_name("mixed_powers_int_float")]] kernel decltype(mixed_powers<int, long, float>)
    mixed_powers<int, long, float>;
template [[host_name("mixed_powers_int_long")]] kernel decltype(mixed_powers<int, long, long>)
    mixed_powers<int, long, long>;
template [[host_name("mixed_powers_long_float")]] kernel decltype(mixed_powers<long, long, float>)
    mixed_powers<long, long, float>;
template [[host_name("mixed_powers_long_long")]] kernel decltype(mixed_powers<long, long, long>)
    mixed_powers<long, long, long>;
