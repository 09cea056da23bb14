// The Metal Shading Language for a compiler of C++ for OpenCL: what our kernels use, declared and
// not defined, for such a compiler knows address spaces. Only for checking.
#pragma once

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION __cl_clang_function_pointers : disable

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920928955078125e-07f
#define HALF_MAX 65504.0h
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define M_PI_F 3.14159265358979f
#define M_PI_2_F 1.57079632679489f
#define M_E_F 2.71828182845905f
#define M_LN2_F 0.69314718055994f
#define M_LN10_F 2.30258509299404f
#define M_SQRT2_F 1.41421356237309f
#define M_SQRT1_2_F 0.70710678118654f
#define M_2_SQRTPI_F 1.12837916709551f
#define M_1_PI_F 0.31830988618379f

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef unsigned long size_t;
typedef signed char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;

#define VECTORS(T)                                    \
  typedef T T##2 __attribute__((ext_vector_type(2))); \
  typedef T T##3 __attribute__((ext_vector_type(3))); \
  typedef T T##4 __attribute__((ext_vector_type(4)));
VECTORS(float)
VECTORS(half)
VECTORS(char)
VECTORS(uchar)
VECTORS(short)
VECTORS(ushort)
VECTORS(int)
VECTORS(uint)
VECTORS(long)
VECTORS(ulong)

struct bfloat {
  ushort bits;
  bfloat() = default;
  bfloat(float);
  operator float() const;
  operator float() const __global;
  operator float() const __local;
  operator float() const __constant;
};

namespace metal {

template <typename T>
struct numeric_limits {
  static constexpr T max() { return T(1); }
  static constexpr T min() { return T(0); }
  static constexpr T lowest() { return T(0); }
  static constexpr T epsilon() { return T(0); }
  static constexpr T infinity() { return T(1); }
  static constexpr T quiet_NaN() { return T(0); }
};

template <typename T, typename U>
struct is_same {
  static constexpr bool value = false;
};
template <typename T>
struct is_same<T, T> {
  static constexpr bool value = true;
};
template <typename T, typename U>
constexpr bool is_same_v = is_same<T, U>::value;
template <typename T>
constexpr bool is_floating_point_v =
    is_same_v<T, float> || is_same_v<T, half> || is_same_v<T, bfloat>;
template <typename T>
constexpr bool is_unsigned_v = T(-1) > T(0);

#define FLOATS(F) F(float) F(half) F(float2) F(float3) F(float4) F(half2) F(half4)
#define UNARY(T)    \
  T exp(T);         \
  T exp2(T);        \
  T exp10(T);       \
  T log(T);         \
  T log2(T);        \
  T log10(T);       \
  T sqrt(T);        \
  T rsqrt(T);       \
  T sin(T);         \
  T cos(T);         \
  T tan(T);         \
  T asin(T);        \
  T acos(T);        \
  T atan(T);        \
  T sinh(T);        \
  T cosh(T);        \
  T tanh(T);        \
  T asinh(T);       \
  T acosh(T);       \
  T atanh(T);       \
  T floor(T);       \
  T ceil(T);        \
  T trunc(T);       \
  T rint(T);        \
  T round(T);       \
  T fract(T);       \
  T fabs(T);        \
  T sign(T);        \
  T saturate(T);    \
  T abs(T);         \
  T pow(T, T);      \
  T powr(T, T);     \
  T fmod(T, T);     \
  T atan2(T, T);    \
  T copysign(T, T); \
  T fmin(T, T);     \
  T fmax(T, T);     \
  T min(T, T);      \
  T max(T, T);      \
  T step(T, T);     \
  T fma(T, T, T);   \
  T clamp(T, T, T); \
  T mix(T, T, T);
FLOATS(UNARY)
#define INTEGERS(F) \
  F(char) F(uchar) F(short) F(ushort) F(int) F(uint) F(long) F(ulong) F(int4) F(uint4)
#define INTEGER(T)  \
  T min(T, T);      \
  T max(T, T);      \
  T clamp(T, T, T); \
  T abs(T);         \
  T popcount(T);
INTEGERS(INTEGER)
int mulhi(int, int);
uint mulhi(uint, uint);
long mulhi(long, long);
ulong mulhi(ulong, ulong);
uint clz(uint);
uint ctz(uint);
float ldexp(float, int);
#define RELATION(T) \
  bool isnan(T);    \
  bool isinf(T);    \
  bool isfinite(T); \
  bool signbit(T);
RELATION(float)
RELATION(half)
template <typename T>
T select(T, T, bool);
template <typename T>
float dot(T, T);

template <typename T, typename U>
T as_type(U);

enum memory_order { memory_order_relaxed };
template <typename T>
struct atomic {
  T value;
};
// The compiler has types of these names, which are others.
#define atomic_int metal::atomic<int>
#define atomic_uint metal::atomic<uint>
#define atomic_float metal::atomic<float>
#define ATOMICS(space)                                                                   \
  template <typename T>                                                                  \
  T atomic_load_explicit(const volatile space atomic<T>*, memory_order);                 \
  template <typename T, typename U>                                                      \
  void atomic_store_explicit(volatile space atomic<T>*, U, memory_order);                \
  template <typename T, typename U>                                                      \
  T atomic_exchange_explicit(volatile space atomic<T>*, U, memory_order);                \
  template <typename T, typename U>                                                      \
  bool atomic_compare_exchange_weak_explicit(volatile space atomic<T>*, __private T*, U, \
                                             memory_order, memory_order);                \
  ATOMIC_CHANGE(space, add)                                                              \
  ATOMIC_CHANGE(space, sub)                                                              \
  ATOMIC_CHANGE(space, min)                                                              \
  ATOMIC_CHANGE(space, max)                                                              \
  ATOMIC_CHANGE(space, and)                                                              \
  ATOMIC_CHANGE(space, or)                                                               \
  ATOMIC_CHANGE(space, xor)
#define ATOMIC_CHANGE(space, name)  \
  template <typename T, typename U> \
  T atomic_fetch_##name##_explicit(volatile space atomic<T>*, U, memory_order);
ATOMICS(__global)
ATOMICS(__local)

enum class mem_flags { mem_none, mem_device, mem_threadgroup, mem_texture };
mem_flags operator|(mem_flags, mem_flags);
void threadgroup_barrier(mem_flags);
void simdgroup_barrier(mem_flags);

// clang-format off
#define SIMD(name)      \
  template <typename T> \
  T name(T);
SIMD(simd_sum) SIMD(simd_product) SIMD(simd_max) SIMD(simd_min)
SIMD(simd_and) SIMD(simd_or) SIMD(simd_xor)
SIMD(simd_prefix_inclusive_sum) SIMD(simd_prefix_exclusive_sum)
SIMD(simd_prefix_inclusive_product) SIMD(simd_prefix_exclusive_product)
SIMD(simd_broadcast_first)
// clang-format on
#define SHUFFLE(name)   \
  template <typename T> \
  T name(T, ushort);
                SHUFFLE(simd_shuffle) SHUFFLE(simd_broadcast) SHUFFLE(simd_shuffle_xor)
                    SHUFFLE(simd_shuffle_up) SHUFFLE(simd_shuffle_down) bool simd_any(bool);
bool simd_all(bool);
bool simd_is_first();

template <typename T, int columns, int rows>
struct simdgroup_matrix {
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T);
  T elements[2];
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
template <typename T, int columns, int rows>
simdgroup_matrix<T, columns, rows> make_filled_simdgroup_matrix(T);
#define MATRIX_MEMORY(space)                                                                     \
  template <typename T>                                                                          \
  void simdgroup_load(__private simdgroup_matrix<T, 8, 8>&, const space T*, ulong stride = 8,    \
                      ulong2 origin = 0, bool transposed = false);                               \
  template <typename T>                                                                          \
  void simdgroup_store(simdgroup_matrix<T, 8, 8>, space T*, ulong stride = 8, ulong2 origin = 0, \
                       bool transposed = false);
MATRIX_MEMORY(__global)
MATRIX_MEMORY(__local)
template <typename D, typename A, typename B, typename C>
void simdgroup_multiply_accumulate(__private simdgroup_matrix<D, 8, 8>&, simdgroup_matrix<A, 8, 8>,
                                   simdgroup_matrix<B, 8, 8>, simdgroup_matrix<C, 8, 8>);
template <typename D, typename A, typename B>
void simdgroup_multiply(__private simdgroup_matrix<D, 8, 8>&, simdgroup_matrix<A, 8, 8>,
                        simdgroup_matrix<B, 8, 8>);

namespace precise {
using namespace metal;
}
namespace fast {
using namespace metal;
}

}  // namespace metal

using metal::as_type;

#define kernel __kernel
#define device __global
#define constant __constant
#define threadgroup __local
#define thread __private
#define METAL_FUNC inline
