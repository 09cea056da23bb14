// Tiles of vectors of T. Included once for each target, inside of its namespace's file.
#if defined(CPU_VECTOR_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CPU_VECTOR_TILES_INL
#undef CPU_VECTOR_TILES_INL
#else
#define CPU_VECTOR_TILES_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "gemm/tiles.hpp"
#include "simd/vector_mask-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// As many accumulators as the registers hold beside the operands: groups of 4 rows by vectors.
#if HWY_TARGET == HWY_AVX2
inline constexpr int tile_groups = 1;
inline constexpr int tile_vectors = 3;
#elif HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
inline constexpr int tile_groups = 3;
inline constexpr int tile_vectors = 2;
#elif HWY_TARGET == HWY_SCALAR
inline constexpr int tile_groups = 1;
inline constexpr int tile_vectors = 4;
#else
inline constexpr int tile_groups = 2;
inline constexpr int tile_vectors = 2;
#endif

struct PlainProducts {
  template <typename V>
  static HWY_INLINE V add(V x, V y, V sum) {
    if constexpr (std::is_integral_v<hn::TFromV<V>>) {
      return hn::Add(hn::Mul(x, y), sum);
    } else {
      return hn::MulAdd(x, y, sum);
    }
  }
};

// Each int32_t is a pair of int16_t, the first in its low half: sums of both halves' products.
struct PairProducts {
  template <typename V>
  static HWY_INLINE V add(V x, V y, V sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
    const hn::DFromV<V> d;
    const hn::Repartition<int16_t, hn::DFromV<V>> halves;
    V unused = sum;
    return hn::ReorderWidenMulAccumulate(d, hn::BitCast(halves, x), hn::BitCast(halves, y), sum,
                                         unused);
#else
    const V x_low = hn::ShiftRight<16>(hn::ShiftLeft<16>(x));
    const V y_low = hn::ShiftRight<16>(hn::ShiftLeft<16>(y));
    const V high = hn::Mul(hn::ShiftRight<16>(x), hn::ShiftRight<16>(y));
    return hn::Add(sum, hn::Add(hn::Mul(x_low, y_low), high));
#endif
  }
};

template <typename T, typename Products = PlainProducts>
struct VectorTiles {
  using D = hn::ScalableTag<T>;
  using V = hn::Vec<D>;
  static constexpr int64_t group = Tiles<T>::group;

  static int64_t lanes() { return static_cast<int64_t>(hn::Lanes(D())); }
  static int64_t columns() { return tile_vectors * lanes(); }

  static HWY_INLINE V multiply_add(V x, V y, V sum) { return Products::add(x, y, sum); }

  // ---- packing

  // Element k of four rows, `step` apart, side by side in `to`; four k at a time.
  static HWY_INLINE void transpose_four(const T* from, int64_t step, T* to, int64_t to_step) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (sizeof(T) == 4) {
      const hn::CappedTag<T, 4> d4;
      const auto r0 = hn::LoadU(d4, from);
      const auto r1 = hn::LoadU(d4, from + step);
      const auto r2 = hn::LoadU(d4, from + 2 * step);
      const auto r3 = hn::LoadU(d4, from + 3 * step);
      const hn::Repartition<uint64_t, decltype(d4)> d2;
      const auto low01 = hn::BitCast(d2, hn::InterleaveLower(d4, r0, r1));
      const auto low23 = hn::BitCast(d2, hn::InterleaveLower(d4, r2, r3));
      const auto high01 = hn::BitCast(d2, hn::InterleaveUpper(d4, r0, r1));
      const auto high23 = hn::BitCast(d2, hn::InterleaveUpper(d4, r2, r3));
      hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d2, low01, low23)), d4, to);
      hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d2, low01, low23)), d4, to + to_step);
      hn::StoreU(hn::BitCast(d4, hn::InterleaveLower(d2, high01, high23)), d4, to + 2 * to_step);
      hn::StoreU(hn::BitCast(d4, hn::InterleaveUpper(d2, high01, high23)), d4, to + 3 * to_step);
      return;
    }
#endif
    for (int64_t k = 0; k < 4; ++k) {
      for (int64_t i = 0; i < 4; ++i) to[k * to_step + i] = from[i * step + k];
    }
  }

  // to[k][i] = from[i][k] for `count` <= 4 rows, zeros for the others.
  static HWY_INLINE void pack_four(const T* from, int64_t row_step, int64_t column_step,
                                   int64_t count, int64_t k, T* to, int64_t to_step) {
    int64_t done = 0;
    if (count == 4 && column_step == 1) {
      for (; done + 4 <= k; done += 4) {
        transpose_four(from + done, row_step, to + done * to_step, to_step);
      }
    }
    for (; done < k; ++done) {
      for (int64_t i = 0; i < 4; ++i) {
        to[done * to_step + i] = i < count ? from[i * row_step + done * column_step] : T{0};
      }
    }
  }

  static void pack_left(MatrixView<const T> a, int64_t m, int64_t k, T* panels) {
    for (int64_t row = 0; row < m; row += group) {
      pack_four(a.at(row, 0), a.row_step, a.column_step, std::min(group, m - row), k,
                panels + row * k, group);
    }
  }

  static HWY_INLINE void copy_row(const T* from, T* to) {
    const D d;
    for (int v = 0; v < tile_vectors; ++v) {
      hn::StoreU(hn::LoadU(d, from + v * lanes()), d, to + v * lanes());
    }
  }

  static void pack_right(MatrixView<const T> b, int64_t k, int64_t n, T* panels) {
    const int64_t width = columns();
    for (int64_t column = 0; column < n; column += width, panels += k * width) {
      const T* from = b.at(0, column);
      if (b.column_step == 1 && column + width <= n) {
        for (int64_t i = 0; i < k; ++i) copy_row(from + i * b.row_step, panels + i * width);
        continue;
      }
      const int64_t count = std::min(width, n - column);
      for (int64_t j = 0; j < width; j += 4) {
        const int64_t here = std::clamp<int64_t>(count - j, 0, 4);
        pack_four(from + j * b.column_step, b.column_step, b.row_step, here, k, panels + j, width);
      }
    }
  }

  // ---- one tile

  template <int Groups, int Vectors>
  static HWY_INLINE void tile(int64_t m, int64_t n, int64_t k, const T* left, int64_t group_step,
                              const T* b, int64_t b_step, T* c, int64_t c_step,
                              Epilogue<T> epilogue) {
    constexpr int rows = 4 * Groups;
    const D d;
    const int64_t step = lanes();
    V sums[rows][Vectors];
    for (int i = 0; i < rows; ++i) {
      for (int v = 0; v < Vectors; ++v) sums[i][v] = hn::Zero(d);
    }
    for (int64_t at = 0; at < k; ++at) {
      V right[Vectors];
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) right[v] = hn::LoadU(d, b + v * step);
#pragma GCC unroll 4
      for (int g = 0; g < Groups; ++g) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
          const V one = hn::Set(d, left[g * group_step + i]);
#pragma GCC unroll 4
          for (int v = 0; v < Vectors; ++v) {
            sums[4 * g + i][v] = multiply_add(one, right[v], sums[4 * g + i][v]);
          }
        }
      }
      b += b_step;
      left += 4;
    }
    write<rows, Vectors>(sums, m, n, c, c_step, epilogue);
  }

  template <int Rows, int Vectors>
  static HWY_INLINE void write(V (&sums)[Rows][Vectors], int64_t m, int64_t n, T* c, int64_t c_step,
                               Epilogue<T> epilogue) {
    const D d;
    const int64_t step = lanes();
    if (epilogue.alpha != T{1}) {
      const V alpha = hn::Set(d, epilogue.alpha);
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) sums[i][v] = hn::Mul(alpha, sums[i][v]);
      }
    }
    if (n == Vectors * step && !epilogue.accumulate) {
#pragma GCC unroll 16
      for (int i = 0; i < Rows; ++i) {
        if (i >= m) return;
#pragma GCC unroll 4
        for (int v = 0; v < Vectors; ++v) hn::StoreU(sums[i][v], d, c + i * c_step + v * step);
      }
      return;
    }
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i) {
      if (i >= m) return;
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) {
        write_part(sums[i][v], n - v * step, c + i * c_step + v * step, epilogue.accumulate);
      }
    }
  }

  static HWY_INLINE void write_part(V sum, int64_t count, T* to, bool accumulate) {
    const D d;
    if (count >= lanes()) {
      if (accumulate) sum = hn::Add(sum, hn::LoadU(d, to));
      hn::StoreU(sum, d, to);
    } else if (count > 0) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(count));
      if (accumulate) sum = hn::Add(sum, masked_load(mask, d, to));
      masked_store(sum, mask, d, to);
    }
  }

  template <int Groups>
  static HWY_INLINE void tile_of(int64_t m, int64_t n, int64_t k, const T* left, int64_t group_step,
                                 const T* b, int64_t b_step, T* c, int64_t c_step,
                                 Epilogue<T> epilogue) {
    if (n <= lanes()) {
      tile<Groups, 1>(m, n, k, left, group_step, b, b_step, c, c_step, epilogue);
    } else {
      tile<Groups, tile_vectors>(m, n, k, left, group_step, b, b_step, c, c_step, epilogue);
    }
  }

  static void multiply(int64_t m, int64_t n, int64_t k, const T* left, int64_t group_step,
                       const T* b, int64_t b_step, T* c, int64_t c_step, Epilogue<T> epilogue) {
    const int64_t groups = (m + 3) / 4;
    if constexpr (tile_groups >= 3) {
      if (groups == 3) return tile_of<3>(m, n, k, left, group_step, b, b_step, c, c_step, epilogue);
    }
    if constexpr (tile_groups >= 2) {
      if (groups == 2) return tile_of<2>(m, n, k, left, group_step, b, b_step, c, c_step, epilogue);
    }
    tile_of<1>(m, n, k, left, group_step, b, b_step, c, c_step, epilogue);
  }

  // ---- a row by a matrix

  static HWY_INLINE T finished(T sum, T before, Epilogue<T> epilogue) {
    const T scaled = static_cast<T>(epilogue.alpha * sum);
    return epilogue.accumulate ? static_cast<T>(before + scaled) : scaled;
  }

  // c += sum of `Rows` rows of b, each times its number: rows stream by, c stays in the first
  // cache.
  template <int Rows>
  static HWY_INLINE void add_rows(int64_t n, const T* a, const T* b, int64_t b_step, T* c, T alpha,
                                  bool accumulate) {
    const D d;
    const int64_t step = lanes();
    V factors[Rows];
    for (int r = 0; r < Rows; ++r) factors[r] = hn::Set(d, static_cast<T>(alpha * a[r]));
    int64_t j = 0;
    for (; j + step <= n; j += step) {
      V sum = accumulate ? hn::LoadU(d, c + j) : hn::Zero(d);
#pragma GCC unroll 8
      for (int r = 0; r < Rows; ++r) {
        sum = multiply_add(factors[r], hn::LoadU(d, b + r * b_step + j), sum);
      }
      hn::StoreU(sum, d, c + j);
    }
    if (j == n) return;
    const auto mask = hn::FirstN(d, static_cast<size_t>(n - j));
    V sum = accumulate ? masked_load(mask, d, c + j) : hn::Zero(d);
    for (int r = 0; r < Rows; ++r) {
      sum = multiply_add(factors[r], masked_load(mask, d, b + r * b_step + j), sum);
    }
    masked_store(sum, mask, d, c + j);
  }

  // `n` is at most a few thousand: see add_rows.
  static void row_by_rows(int64_t n, int64_t k, const T* a, const T* b, int64_t b_step, T* c,
                          Epilogue<T> epilogue) {
    int64_t i = 0;
    for (; i + 8 <= k; i += 8) {
      add_rows<8>(n, a + i, b + i * b_step, b_step, c, epilogue.alpha,
                  epilogue.accumulate || i != 0);
    }
    for (; i < k; ++i) {
      add_rows<1>(n, a + i, b + i * b_step, b_step, c, epilogue.alpha,
                  epilogue.accumulate || i != 0);
    }
  }

  // Dot products with `Columns` columns at once; the vectors of each take turns with two sums.
  // The columns at `next` are prefetched: a matrix in the second cache comes a quarter faster.
  template <int Columns>
  static HWY_INLINE void dots(int64_t k, const T* a, const T* b, const T* next, int64_t b_step,
                              T* c, Epilogue<T> epilogue) {
    const D d;
    const int64_t step = lanes();
    V even[Columns], odd[Columns];
    for (int j = 0; j < Columns; ++j) even[j] = odd[j] = hn::Zero(d);
    int64_t i = 0;
    for (; i + 2 * step <= k; i += 2 * step) {
      const V first = hn::LoadU(d, a + i);
      const V second = hn::LoadU(d, a + i + step);
#pragma GCC unroll 4
      for (int j = 0; j < Columns; ++j) {
        even[j] = multiply_add(first, hn::LoadU(d, b + j * b_step + i), even[j]);
        odd[j] = multiply_add(second, hn::LoadU(d, b + j * b_step + i + step), odd[j]);
        hwy::Prefetch(next + j * b_step + i);
        hwy::Prefetch(next + j * b_step + i + step);
      }
    }
    for (; i < k; i += step) {
      const auto mask = hn::FirstN(d, static_cast<size_t>(std::min(step, k - i)));
      const V last = masked_load(mask, d, a + i);
      for (int j = 0; j < Columns; ++j) {
        even[j] = multiply_add(last, masked_load(mask, d, b + j * b_step + i), even[j]);
      }
    }
    for (int j = 0; j < Columns; ++j) {
      const T sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(even[j], odd[j])));
      c[j] = finished(sum, c[j], epilogue);
    }
  }

  static void row_by_columns(int64_t n, int64_t k, const T* a, const T* b, int64_t b_step, T* c,
                             Epilogue<T> epilogue) {
    int64_t j = 0;
    for (; j + 4 <= n; j += 4) {
      const T* next = b + (j + 8 <= n ? j + 4 : j) * b_step;
      dots<4>(k, a, b + j * b_step, next, b_step, c + j, epilogue);
    }
    for (; j < n; ++j) dots<1>(k, a, b + j * b_step, b + j * b_step, b_step, c + j, epilogue);
  }

  static Tiles<T> make_tiles() {
    return {4 * tile_groups, columns(), pack_left, pack_right, multiply, nullptr, nullptr};
  }
  static Tiles<T> make() {
    return {4 * tile_groups, columns(),   pack_left,     pack_right,
            multiply,        row_by_rows, row_by_columns};
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#endif
