// vec<T, 2>, <T, 3> and <T, 4>, with the swizzles that our kernels use, and their operators.
#pragma once
#include "software/shim/scalars.h"

namespace metal {

template <class T, int count>
struct vec;

// Some elements of a vector, in an order; lies in the vector's union.
template <class T, int count, int... elements>
struct swizzle {
  T e[count];
  using Vector = vec<T, int(sizeof...(elements))>;
  inline operator Vector() const { return Vector(e[elements]...); }
  inline swizzle& operator=(const Vector& value) {
    int next = 0;
    ((e[elements] = value.e[next++]), ...);
    return *this;
  }
};

template <class T>
struct alignas(2 * sizeof(T)) vec<T, 2> {
  union {
    T e[2];
    struct {
      T x, y;
    };
    struct {
      T r, g;
    };
    swizzle<T, 2, 0, 1> xy;
    swizzle<T, 2, 1, 0> yx;
  };
  vec() = default;
  constexpr vec(T all) : e{all, all} {}
  constexpr vec(T a, T b) : e{a, b} {}
  template <class U>
  constexpr explicit vec(const vec<U, 2>& v) : e{T(v.e[0]), T(v.e[1])} {}
  inline T& operator[](int i) { return e[i]; }
  inline const T& operator[](int i) const { return e[i]; }
};

template <class T>
struct alignas(4 * sizeof(T)) vec<T, 3> {
  union {
    T e[3];
    struct {
      T x, y, z;
    };
    struct {
      T r, g, b;
    };
    swizzle<T, 3, 0, 1> xy;
    swizzle<T, 3, 1, 2> yz;
    swizzle<T, 3, 0, 2> xz;
    swizzle<T, 3, 0, 1, 2> xyz;
    swizzle<T, 3, 2, 1, 0> zyx;
  };
  vec() = default;
  constexpr vec(T all) : e{all, all, all} {}
  constexpr vec(T a, T b, T c) : e{a, b, c} {}
  constexpr vec(const vec<T, 2>& ab, T c) : e{ab.e[0], ab.e[1], c} {}
  constexpr vec(T a, const vec<T, 2>& bc) : e{a, bc.e[0], bc.e[1]} {}
  template <class U>
  constexpr explicit vec(const vec<U, 3>& v) : e{T(v.e[0]), T(v.e[1]), T(v.e[2])} {}
  inline T& operator[](int i) { return e[i]; }
  inline const T& operator[](int i) const { return e[i]; }
};

template <class T>
struct alignas(4 * sizeof(T)) vec<T, 4> {
  union {
    T e[4];
    struct {
      T x, y, z, w;
    };
    struct {
      T r, g, b, a;
    };
    swizzle<T, 4, 0, 1> xy;
    swizzle<T, 4, 2, 3> zw;
    swizzle<T, 4, 1, 2> yz;
    swizzle<T, 4, 0, 2> xz;
    swizzle<T, 4, 1, 3> yw;
    swizzle<T, 4, 0, 1, 2> xyz;
    swizzle<T, 4, 1, 2, 3> yzw;
    swizzle<T, 4, 3, 2, 1, 0> wzyx;
  };
  vec() = default;
  constexpr vec(T all) : e{all, all, all, all} {}
  constexpr vec(T a, T b, T c, T d) : e{a, b, c, d} {}
  constexpr vec(const vec<T, 2>& ab, const vec<T, 2>& cd) : e{ab.e[0], ab.e[1], cd.e[0], cd.e[1]} {}
  constexpr vec(const vec<T, 3>& abc, T d) : e{abc.e[0], abc.e[1], abc.e[2], d} {}
  constexpr vec(const vec<T, 2>& ab, T c, T d) : e{ab.e[0], ab.e[1], c, d} {}
  template <class U>
  constexpr explicit vec(const vec<U, 4>& v) : e{T(v.e[0]), T(v.e[1]), T(v.e[2]), T(v.e[3])} {}
  inline T& operator[](int i) { return e[i]; }
  inline const T& operator[](int i) const { return e[i]; }
};

// Each element through `f`.
template <class T, int count, class F>
inline auto each(const vec<T, count>& a, F f) -> vec<decltype(f(a.e[0])), count> {
  vec<decltype(f(a.e[0])), count> result;
  for (int i = 0; i < count; ++i) result.e[i] = f(a.e[i]);
  return result;
}

// vector with vector, vector with scalar, scalar with vector: the scalar converts, as in Metal.
#define MSL_VECTOR_OPERATOR(symbol)                                             \
  template <class T, int count>                                                 \
  inline vec<T, count> operator symbol(vec<T, count> a, vec<T, count> b) {      \
    for (int i = 0; i < count; ++i) a.e[i] = T(a.e[i] symbol b.e[i]);           \
    return a;                                                                   \
  }                                                                             \
  template <class T, int count>                                                 \
  inline vec<T, count> operator symbol(vec<T, count> a, as<T> b) {              \
    return a symbol vec<T, count>(b);                                           \
  }                                                                             \
  template <class T, int count>                                                 \
  inline vec<T, count> operator symbol(as<T> a, vec<T, count> b) {              \
    return vec<T, count>(a) symbol b;                                           \
  }                                                                             \
  template <class T, int count>                                                 \
  inline vec<T, count>& operator symbol##=(vec<T, count>& a, vec<T, count> b) { \
    return a = a symbol b;                                                      \
  }                                                                             \
  template <class T, int count>                                                 \
  inline vec<T, count>& operator symbol##=(vec<T, count>& a, as<T> b) {         \
    return a = a symbol b;                                                      \
  }
MSL_VECTOR_OPERATOR(+)
MSL_VECTOR_OPERATOR(-)
MSL_VECTOR_OPERATOR(*)
MSL_VECTOR_OPERATOR(/)
MSL_VECTOR_OPERATOR(%)
MSL_VECTOR_OPERATOR(&)
MSL_VECTOR_OPERATOR(|)
MSL_VECTOR_OPERATOR(^)
MSL_VECTOR_OPERATOR(<<)
MSL_VECTOR_OPERATOR(>>)
#undef MSL_VECTOR_OPERATOR

#define MSL_VECTOR_COMPARISON(symbol)                                         \
  template <class T, int count>                                               \
  inline vec<bool, count> operator symbol(vec<T, count> a, vec<T, count> b) { \
    vec<bool, count> result;                                                  \
    for (int i = 0; i < count; ++i) result.e[i] = a.e[i] symbol b.e[i];       \
    return result;                                                            \
  }                                                                           \
  template <class T, int count>                                               \
  inline vec<bool, count> operator symbol(vec<T, count> a, as<T> b) {         \
    return a symbol vec<T, count>(b);                                         \
  }
MSL_VECTOR_COMPARISON(<)
MSL_VECTOR_COMPARISON(>)
MSL_VECTOR_COMPARISON(<=)
MSL_VECTOR_COMPARISON(>=)
MSL_VECTOR_COMPARISON(==)
MSL_VECTOR_COMPARISON(!=)
MSL_VECTOR_COMPARISON(&&)
MSL_VECTOR_COMPARISON(||)
#undef MSL_VECTOR_COMPARISON

template <class T, int count>
inline vec<T, count> operator-(vec<T, count> a) {
  return each(a, [](T x) { return T(-x); });
}
template <class T, int count>
inline vec<T, count> operator~(vec<T, count> a) {
  return each(a, [](T x) { return T(~x); });
}
template <class T, int count>
inline vec<bool, count> operator!(vec<T, count> a) {
  return each(a, [](T x) { return !x; });
}

}  // namespace metal

#define MSL_VECTOR_NAMES(name)         \
  typedef metal::vec<name, 2> name##2; \
  typedef metal::vec<name, 3> name##3; \
  typedef metal::vec<name, 4> name##4;
MSL_VECTOR_NAMES(float)
MSL_VECTOR_NAMES(half)
MSL_VECTOR_NAMES(bfloat)
MSL_VECTOR_NAMES(bool)
MSL_VECTOR_NAMES(char)
MSL_VECTOR_NAMES(uchar)
MSL_VECTOR_NAMES(short)
MSL_VECTOR_NAMES(ushort)
MSL_VECTOR_NAMES(int)
MSL_VECTOR_NAMES(uint)
MSL_VECTOR_NAMES(long)
MSL_VECTOR_NAMES(ulong)
#undef MSL_VECTOR_NAMES
