// Products of a matrix of few rows and one of many columns, for each of a batch. Either may be the
// transpose of what lies in memory: strides say. Sums are float32.
#include <metal_stdlib>
#include "axes.h"
using namespace metal;

// As ops/products/small_product.cpp fills it in.
struct ProductParameters {
  uint rows;
  uint columns;
  uint depth;
  int a_row, a_depth;
  int b_depth, b_column;
  int c_row, c_column;
  int addend_row, addend_column;
  uint addend_offset;
  float alpha;
  float beta;
  uint has_addend;
};

// c = alpha * sum + beta * addend, in the matrix that begins at `from_c`.
template <typename T, typename R>
inline void store_product(device R* c, device const T* addend, uint from_c, uint row, uint column,
                          float sum, constant ProductParameters& p) {
  float value = p.alpha * sum;
  if (p.has_addend != 0) {
    const uint at = p.addend_offset + row * uint(p.addend_row) +
                    column * uint(p.addend_column);
    value += p.beta * float(addend[at]);
  }
  c[from_c + row * uint(p.c_row) + column * uint(p.c_column)] = R(value);
}

// A thread sums so many terms apart from those before, since the total may be much larger.
constant uint terms_in_part = 256;

// A SIMD group makes a column of `block` rows; its threads go along the depth side by side. For
// matrices b whose depth lies together in memory.
template <typename T, typename R, uint block>
[[kernel]] void product_along_depth(
    device const T* a [[buffer(0)]], device const T* b [[buffer(1)]],
    device const T* addend [[buffer(2)]], device R* c [[buffer(3)]],
    constant Axes& batch [[buffer(4)]], constant ProductParameters& p [[buffer(5)]],
    uint group [[threadgroup_position_in_grid]], uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint simdgroups [[simdgroups_per_threadgroup]], uint lane [[thread_index_in_simdgroup]]) {
  uint position = group * simdgroups + simdgroup;
  const uint column = position % p.columns;
  position /= p.columns;
  const uint blocks = (p.rows + block - 1) / block;
  const uint first = position % blocks * block;
  position /= blocks;
  if (position >= batch.count) return;
  const Positions at = positions_of(batch, position);
  const uint from_b = at.at[1] + column * uint(p.b_column);
  uint from_a[block];
  float sums[block];
  for (uint r = 0; r < block; ++r) {
    from_a[r] = at.at[0] + min(first + r, p.rows - 1) * uint(p.a_row);
    sums[r] = 0;
  }
  float joined[block];
  for (uint r = 0; r < block; ++r) joined[r] = 0;
  for (uint from = lane; from < p.depth; from += 32 * terms_in_part) {
    const uint end = min(from + 32 * terms_in_part, p.depth);
    for (uint k = from; k < end; k += 32) {
      const float weight = float(b[from_b + k * uint(p.b_depth)]);
      const uint along = k * uint(p.a_depth);
      for (uint r = 0; r < block; ++r) sums[r] += float(a[from_a[r] + along]) * weight;
    }
    for (uint r = 0; r < block; ++r) {
      joined[r] += sums[r];
      sums[r] = 0;
    }
  }
  for (uint r = 0; r < block; ++r) {
    const float sum = simd_sum(joined[r]);
    if (lane == 0 && first + r < p.rows) {
      store_product(c, addend, at.at[2], first + r, column, sum, p);
    }
  }
}

// A threadgroup of 8 SIMD groups makes 32 columns of `block` rows, a thread of each SIMD group a
// column; the SIMD groups share the depth. For matrices b whose columns lie side by side.
template <typename T, typename R, uint block>
[[kernel]] void product_across_columns(
    device const T* a [[buffer(0)]], device const T* b [[buffer(1)]],
    device const T* addend [[buffer(2)]], device R* c [[buffer(3)]],
    constant Axes& batch [[buffer(4)]], constant ProductParameters& p [[buffer(5)]],
    uint group [[threadgroup_position_in_grid]], uint simdgroup [[simdgroup_index_in_threadgroup]],
    uint lane [[thread_index_in_simdgroup]]) {
  threadgroup float parts[8 * block * 32];
  const uint tiles = (p.columns + 31) / 32;
  const uint column = group % tiles * 32 + lane;
  uint position = group / tiles;
  const uint blocks = (p.rows + block - 1) / block;
  const uint first = position % blocks * block;
  position /= blocks;
  const Positions at = positions_of(batch, position);
  const uint from_b = at.at[1] + min(column, p.columns - 1) * uint(p.b_column);
  uint from_a[block];
  float sums[block];
  for (uint r = 0; r < block; ++r) {
    from_a[r] = at.at[0] + min(first + r, p.rows - 1) * uint(p.a_row);
    sums[r] = 0;
  }
  float joined[block];
  for (uint r = 0; r < block; ++r) joined[r] = 0;
  for (uint from = simdgroup; from < p.depth; from += 8 * terms_in_part) {
    const uint end = min(from + 8 * terms_in_part, p.depth);
    for (uint k = from; k < end; k += 8) {
      const float weight = float(b[from_b + k * uint(p.b_depth)]);
      const uint along = k * uint(p.a_depth);
      for (uint r = 0; r < block; ++r) sums[r] += float(a[from_a[r] + along]) * weight;
    }
    for (uint r = 0; r < block; ++r) {
      joined[r] += sums[r];
      sums[r] = 0;
    }
  }
  for (uint r = 0; r < block; ++r) parts[(simdgroup * block + r) * 32 + lane] = joined[r];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup >= block || first + simdgroup >= p.rows || column >= p.columns) return;
  float sum = 0;
  for (uint s = 0; s < 8; ++s) sum += parts[(s * block + simdgroup) * 32 + lane];
  store_product(c, addend, at.at[2], first + simdgroup, column, sum, p);
}

template [[host_name("product_along_depth_float_1")]] kernel decltype(
    product_along_depth<float, float, 1>) product_along_depth<float, float, 1>;
template [[host_name("product_along_depth_float_4")]] kernel decltype(
    product_along_depth<float, float, 4>) product_along_depth<float, float, 4>;
template [[host_name("product_along_depth_half_1")]] kernel decltype(
    product_along_depth<half, half, 1>) product_along_depth<half, half, 1>;
template [[host_name("product_along_depth_half_4")]] kernel decltype(
    product_along_depth<half, half, 4>) product_along_depth<half, half, 4>;
template [[host_name("product_along_depth_half_to_float_1")]] kernel decltype(
    product_along_depth<half, float, 1>) product_along_depth<half, float, 1>;
template [[host_name("product_along_depth_half_to_float_4")]] kernel decltype(
    product_along_depth<half, float, 4>) product_along_depth<half, float, 4>;

template [[host_name("product_across_columns_float_1")]] kernel decltype(
    product_across_columns<float, float, 1>) product_across_columns<float, float, 1>;
template [[host_name("product_across_columns_float_4")]] kernel decltype(
    product_across_columns<float, float, 4>) product_across_columns<float, float, 4>;
template [[host_name("product_across_columns_half_1")]] kernel decltype(
    product_across_columns<half, half, 1>) product_across_columns<half, half, 1>;
template [[host_name("product_across_columns_half_4")]] kernel decltype(
    product_across_columns<half, half, 4>) product_across_columns<half, half, 4>;
template [[host_name("product_across_columns_half_to_float_1")]] kernel decltype(
    product_across_columns<half, float, 1>) product_across_columns<half, float, 1>;
template [[host_name("product_across_columns_half_to_float_4")]] kernel decltype(
    product_across_columns<half, float, 4>) product_across_columns<half, float, 4>;

#if __METAL_VERSION__ >= 310
template [[host_name("product_along_depth_bfloat_1")]] kernel decltype(
    product_along_depth<bfloat, bfloat, 1>) product_along_depth<bfloat, bfloat, 1>;
template [[host_name("product_along_depth_bfloat_4")]] kernel decltype(
    product_along_depth<bfloat, bfloat, 4>) product_along_depth<bfloat, bfloat, 4>;
template [[host_name("product_along_depth_bfloat_to_float_1")]] kernel decltype(
    product_along_depth<bfloat, float, 1>) product_along_depth<bfloat, float, 1>;
template [[host_name("product_along_depth_bfloat_to_float_4")]] kernel decltype(
    product_along_depth<bfloat, float, 4>) product_along_depth<bfloat, float, 4>;
template [[host_name("product_across_columns_bfloat_1")]] kernel decltype(
    product_across_columns<bfloat, bfloat, 1>) product_across_columns<bfloat, bfloat, 1>;
template [[host_name("product_across_columns_bfloat_4")]] kernel decltype(
    product_across_columns<bfloat, bfloat, 4>) product_across_columns<bfloat, bfloat, 4>;
template [[host_name("product_across_columns_bfloat_to_float_1")]] kernel decltype(
    product_across_columns<bfloat, float, 1>) product_across_columns<bfloat, float, 1>;
template [[host_name("product_across_columns_bfloat_to_float_4")]] kernel decltype(
    product_across_columns<bfloat, float, 4>) product_across_columns<bfloat, float, 4>;
#endif
