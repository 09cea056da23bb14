// <metal_simdgroup_matrix>: 8x8 alone, as in Metal. Each lane holds two of the 64 elements, of row
// lane / 4 and from column 2 * (lane % 4) on; which is a kernel's not to know.
#pragma once
#include "software/shim/simdgroup.h"

namespace msl {
inline unsigned matrix_row(unsigned lane) { return lane / 4; }
inline unsigned matrix_column(unsigned lane) { return 2 * (lane % 4); }
}  // namespace msl

namespace metal {

template <class T, int columns, int rows>
struct simdgroup_matrix {
  static_assert(columns == 8 && rows == 8, "Metal has 8x8 only");
  vec<T, 2> elements;
  simdgroup_matrix() = default;
  explicit simdgroup_matrix(T diagonal) {
    const uint row = msl::matrix_row(msl::lane()), column = msl::matrix_column(msl::lane());
    elements = vec<T, 2>(row == column ? diagonal : T(0), row == column + 1 ? diagonal : T(0));
  }
  vec<T, 2>& thread_elements() { return elements; }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int columns, int rows>
inline simdgroup_matrix<T, columns, rows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, columns, rows> result;
  result.elements = vec<T, 2>(value);
  return result;
}

// The two elements of this lane in memory.
template <class T>
inline vec<T*, 2> matrix_elements(T* matrix, ulong stride, vec<ulong, 2> origin, bool transposed) {
  const uint row = msl::matrix_row(msl::lane()), column = msl::matrix_column(msl::lane());
  T* first = matrix + origin.y * stride + origin.x;
  return transposed ? vec<T*, 2>(first + column * stride + row, first + (column + 1) * stride + row)
                    : vec<T*, 2>(first + row * stride + column, first + row * stride + column + 1);
}

template <class T>
inline void simdgroup_load(simdgroup_matrix<T, 8, 8>& to, const T* from, ulong stride = 8,
                           vec<ulong, 2> origin = vec<ulong, 2>(0ul), bool transposed = false,
                           unsigned site = msl::site()) {
  simdgroup_barrier(mem_flags::mem_none, site);
  const auto positions = matrix_elements(from, stride, origin, transposed);
  to.elements = vec<T, 2>(*positions.x, *positions.y);
}

template <class T>
inline void simdgroup_store(const simdgroup_matrix<T, 8, 8>& from, T* to, ulong stride = 8,
                            vec<ulong, 2> origin = vec<ulong, 2>(0ul), bool transposed = false,
                            unsigned site = msl::site()) {
  const auto positions = matrix_elements(to, stride, origin, transposed);
  *positions.x = from.elements.x;
  *positions.y = from.elements.y;
  simdgroup_barrier(mem_flags::mem_none, site);
}

template <class D, class A, class B, class C>
struct MatrixProduct {
  vec<D, 2>* result;
  vec<A, 2> a;
  vec<B, 2> b;
  vec<C, 2> c;
};

template <class Product>
inline void resolve_matrix_product(msl::Lane* const* lanes, unsigned count) {
  float a[8][8] = {}, b[8][8] = {}, sum[8][8] = {};
  for (unsigned i = 0; i < count; ++i) {
    const auto& slot = msl::payload<Product>(lanes[i]);
    const uint row = msl::matrix_row(lanes[i]->lane), column = msl::matrix_column(lanes[i]->lane);
    for (uint j = 0; j < 2; ++j) {
      a[row][column + j] = float(slot.a.e[j]);
      b[row][column + j] = float(slot.b.e[j]);
      sum[row][column + j] = float(slot.c.e[j]);
    }
  }
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 8; ++k) {
      for (int j = 0; j < 8; ++j) sum[i][j] += a[i][k] * b[k][j];
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    const auto& slot = msl::payload<Product>(lanes[i]);
    const uint row = msl::matrix_row(lanes[i]->lane), column = msl::matrix_column(lanes[i]->lane);
    for (uint j = 0; j < 2; ++j) {
      using Element = decltype(slot.result->x);
      slot.result->e[j] = Element(sum[row][column + j]);
    }
  }
}

template <class D, class A, class B, class C>
inline void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d,
                                          const simdgroup_matrix<A, 8, 8>& a,
                                          const simdgroup_matrix<B, 8, 8>& b,
                                          const simdgroup_matrix<C, 8, 8>& c,
                                          unsigned site = msl::site()) {
  using Product = MatrixProduct<D, A, B, C>;
  Product mine{&d.elements, a.elements, b.elements, c.elements};
  msl::park(msl::Scope::simdgroup, site, &resolve_matrix_product<Product>, &mine);
}
template <class D, class A, class B>
inline void simdgroup_multiply(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                               const simdgroup_matrix<B, 8, 8>& b, unsigned site = msl::site()) {
  const auto zero = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  simdgroup_multiply_accumulate(d, a, b, zero, site);
}

}  // namespace metal
