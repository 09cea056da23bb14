// The scalar types of the Metal Shading Language. No standard header: a kernel sees only what the
// language has.
#pragma once

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;

typedef _Float16 half;

// Arithmetic in float, rounded to the nearest once.
struct bfloat {
  unsigned short bits;
  bfloat() = default;
  inline bfloat(float value) {
    uint wide;
    __builtin_memcpy(&wide, &value, sizeof wide);
    const bool nan = (wide & 0x7fffffffu) > 0x7f800000u;
    bits =
        nan ? ushort((wide >> 16) | 0x40u) : ushort((wide + 0x7fffu + ((wide >> 16) & 1u)) >> 16);
  }
  inline operator float() const {
    const uint wide = uint(bits) << 16;
    float value;
    __builtin_memcpy(&value, &wide, sizeof value);
    return value;
  }
  bfloat& operator+=(float other) { return *this = bfloat(float(*this) + other); }
  bfloat& operator-=(float other) { return *this = bfloat(float(*this) - other); }
  bfloat& operator*=(float other) { return *this = bfloat(float(*this) * other); }
  bfloat& operator/=(float other) { return *this = bfloat(float(*this) / other); }
};

namespace metal {

using ::bfloat;
using ::half;

template <class T>
struct identity {
  using type = T;
};
// Keeps an argument out of template deduction: it converts to what the others say.
template <class T>
using as = typename identity<T>::type;

template <bool condition, class T = void>
struct enable_if {};
template <class T>
struct enable_if<true, T> {
  using type = T;
};
template <bool condition, class T = void>
using enable_if_t = typename enable_if<condition, T>::type;

template <bool condition, class T, class U>
struct conditional {
  using type = T;
};
template <class T, class U>
struct conditional<false, T, U> {
  using type = U;
};
template <bool condition, class T, class U>
using conditional_t = typename conditional<condition, T, U>::type;

template <class T, T constant_value>
struct integral_constant {
  static constexpr T value = constant_value;
};
using true_type = integral_constant<bool, true>;
using false_type = integral_constant<bool, false>;

template <class T, class U>
struct is_same : false_type {};
template <class T>
struct is_same<T, T> : true_type {};
template <class T, class U>
constexpr bool is_same_v = is_same<T, U>::value;

template <class T>
constexpr bool is_floating_point_v =
    is_same_v<T, float> || is_same_v<T, half> || is_same_v<T, bfloat>;
template <class T>
struct is_floating_point : integral_constant<bool, is_floating_point_v<T>> {};

template <class T>
constexpr bool is_signed_integer_v = is_same_v<T, char> || is_same_v<T, signed char> ||
                                     is_same_v<T, short> || is_same_v<T, int> || is_same_v<T, long>;
template <class T>
constexpr bool is_unsigned_integer_v =
    is_same_v<T, bool> || is_same_v<T, uchar> || is_same_v<T, ushort> || is_same_v<T, uint> ||
    is_same_v<T, ulong>;
template <class T>
constexpr bool is_integral_v = is_signed_integer_v<T> || is_unsigned_integer_v<T>;
template <class T>
struct is_integral : integral_constant<bool, is_integral_v<T>> {};
template <class T>
constexpr bool is_signed_v = is_signed_integer_v<T> || is_floating_point_v<T>;
template <class T>
struct is_signed : integral_constant<bool, is_signed_v<T>> {};
template <class T>
constexpr bool is_unsigned_v = is_unsigned_integer_v<T>;
template <class T>
struct is_unsigned : integral_constant<bool, is_unsigned_v<T>> {};

#define MSL_BFLOAT_OPERATOR(symbol)                             \
  template <class T, class = enable_if_t<is_same_v<T, bfloat>>> \
  inline bfloat operator symbol(T a, T b) {                     \
    return bfloat(float(a) symbol float(b));                    \
  }
MSL_BFLOAT_OPERATOR(+)
MSL_BFLOAT_OPERATOR(-)
MSL_BFLOAT_OPERATOR(*)
MSL_BFLOAT_OPERATOR(/)
#undef MSL_BFLOAT_OPERATOR
template <class T, class = enable_if_t<is_same_v<T, bfloat>>>
inline bfloat operator-(T a) {
  return bfloat(-float(a));
}

}  // namespace metal

// Found for ::bfloat by the argument's own namespace.
using metal::operator+;
using metal::operator-;
using metal::operator*;
using metal::operator/;
