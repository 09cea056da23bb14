#include "simd/vector_transpose.hpp"

#include <cstring>

#include "simd/vector_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/vector_transpose.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Tiles read whole lines of the cache and write some of them in a row; between the two they lie in
// a buffer, so that neither side is touched twice.
template <typename T>
struct Tile {
  static constexpr int64_t columns = 64 / sizeof(T);
  static constexpr int64_t rows = 256 / sizeof(T);
  HWY_ALIGN T buffer[columns * rows];  // column after column
};

template <typename T>
const T* row_of(const TransposedPlane& plane, int64_t row) {
  return reinterpret_cast<const T*>(plane.source + row * plane.source_step);
}

#if HWY_TARGET == HWY_SCALAR
template <typename T>
inline constexpr int64_t square = 1;
#else
// A square of as many elements as 16 bytes hold, transposed by perfect shuffles.
template <typename T>
inline constexpr int64_t square = 16 / sizeof(T);

template <typename T>
HWY_INLINE void turn_square(const char* source, int64_t step, T* to, int64_t to_step) {
  constexpr int64_t n = square<T>;
  using D = hn::FixedTag<T, n>;
  const D d;
  hn::Vec<D> v[n];
  for (int64_t i = 0; i < n; ++i)
    v[i] = hn::LoadU(d, reinterpret_cast<const T*>(source + i * step));
  for (int64_t stage = 1; stage < n; stage *= 2) {
    hn::Vec<D> w[n];
    for (int64_t i = 0; i < n / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + n / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + n / 2]);
    }
    for (int64_t i = 0; i < n; ++i) v[i] = w[i];
  }
  for (int64_t i = 0; i < n; ++i) hn::StoreU(v[i], d, to + i * to_step);
}
#endif

template <typename T>
void gather(const TransposedPlane& plane, int64_t row, int64_t rows, int64_t column,
            int64_t columns, Tile<T>& tile) {
  int64_t r = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr int64_t n = square<T>;
  for (; r + n <= rows; r += n) {
    int64_t c = 0;
    for (; c + n <= columns; c += n) {
      turn_square(reinterpret_cast<const char*>(row_of<T>(plane, row + r) + column + c),
                  plane.source_step, tile.buffer + c * Tile<T>::rows + r, Tile<T>::rows);
    }
    for (; c < columns; ++c) {
      for (int64_t k = r; k < r + n; ++k) {
        tile.buffer[c * Tile<T>::rows + k] = row_of<T>(plane, row + k)[column + c];
      }
    }
  }
#endif
  for (; r < rows; ++r) {
    const T* from = row_of<T>(plane, row + r) + column;
    for (int64_t c = 0; c < columns; ++c) tile.buffer[c * Tile<T>::rows + r] = from[c];
  }
}

// Lines of 64 bytes go past the caches if they are whole.
template <typename T>
HWY_INLINE void write_run(const T* from, T* to, int64_t count, bool past_cache) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  if (past_cache && reinterpret_cast<uintptr_t>(to) % 64 == 0 && count * sizeof(T) % 64 == 0) {
    for (int64_t i = 0; i < count; i += lanes) hn::Stream(hn::Load(d, from + i), d, to + i);
  } else {
    std::memcpy(to, from, static_cast<size_t>(count) * sizeof(T));
  }
}

// ---- images of 2 to 4 channels: planes that are as narrow as that on one side and dense there

template <typename T>
using VectorOf = hn::Vec<hn::ScalableTag<T>>;

template <typename T, int n>
HWY_INLINE void load_apart(const T* from, VectorOf<T> (&v)[n]) {
  const hn::ScalableTag<T> d;
  if constexpr (n == 2) hn::LoadInterleaved2(d, from, v[0], v[1]);
  if constexpr (n == 3) hn::LoadInterleaved3(d, from, v[0], v[1], v[2]);
  if constexpr (n == 4) hn::LoadInterleaved4(d, from, v[0], v[1], v[2], v[3]);
}

template <typename T, int n>
HWY_INLINE void store_together(const VectorOf<T> (&v)[n], T* to) {
  const hn::ScalableTag<T> d;
  if constexpr (n == 2) hn::StoreInterleaved2(v[0], v[1], d, to);
  if constexpr (n == 3) hn::StoreInterleaved3(v[0], v[1], v[2], d, to);
  if constexpr (n == 4) hn::StoreInterleaved4(v[0], v[1], v[2], v[3], d, to);
}

// n rows become columns of n elements that follow one another.
template <typename T, int n>
void interleave(const TransposedPlane& plane, int64_t begin, int64_t end) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const T* from[n];
  for (int k = 0; k < n; ++k) from[k] = row_of<T>(plane, k);
  auto* to = reinterpret_cast<T*>(plane.destination);
  int64_t i = begin;
  for (; i + lanes <= end; i += lanes) {
    VectorOf<T> v[n];
    for (int k = 0; k < n; ++k) v[k] = hn::LoadU(d, from[k] + i);
    store_together<T, n>(v, to + i * n);
  }
  for (; i < end; ++i) {
    for (int k = 0; k < n; ++k) to[i * n + k] = from[k][i];
  }
}

// Rows of n elements that follow one another become n columns.
template <typename T, int n>
void deinterleave(const TransposedPlane& plane) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  const auto* from = reinterpret_cast<const T*>(plane.source);
  T* to[n];
  for (int k = 0; k < n; ++k) {
    to[k] = reinterpret_cast<T*>(plane.destination + k * plane.destination_step);
  }
  int64_t i = 0;
  for (; i + lanes <= plane.rows; i += lanes) {
    VectorOf<T> v[n];
    load_apart<T, n>(from + i * n, v);
    for (int k = 0; k < n; ++k) hn::StoreU(v[k], d, to[k] + i);
  }
  for (; i < plane.rows; ++i) {
    for (int k = 0; k < n; ++k) to[k][i] = from[i * n + k];
  }
}

template <typename T, int n>
bool try_narrow(const TransposedPlane& plane, int64_t begin, int64_t end) {
  constexpr int64_t dense = n * int64_t{sizeof(T)};
  if (plane.rows == n && plane.destination_step == dense) {
    interleave<T, n>(plane, begin, end);
    return true;
  }
  if (plane.columns == n && plane.source_step == dense && begin == 0 && end == n) {
    deinterleave<T, n>(plane);
    return true;
  }
  return false;
}

// ---- planes of few rows

#if HWY_TARGET == HWY_SCALAR
template <typename T>
bool try_few_rows(const TransposedPlane&, int64_t, int64_t) {
  return false;
}
#else
// Columns are so short that squares go straight to them. A last square that would hang over the end
// starts earlier, and turns some elements twice.
template <typename T>
bool try_few_rows(const TransposedPlane& plane, int64_t begin, int64_t end) {
  constexpr int64_t n = square<T>, size = sizeof(T);
  if (plane.rows < n || plane.rows > 4 * n || end - begin < n) return false;
  if (plane.destination_step % size != 0) return false;
  for (int64_t at = begin; at < end; at += n) {
    const int64_t c = HWY_MIN(at, end - n);
    auto* to = reinterpret_cast<T*>(plane.destination + c * plane.destination_step);
    for (int64_t row = 0; row < plane.rows; row += n) {
      const int64_t r = HWY_MIN(row, plane.rows - n);
      turn_square(reinterpret_cast<const char*>(row_of<T>(plane, r) + c), plane.source_step, to + r,
                  plane.destination_step / size);
    }
  }
  return true;
}
#endif

// ---- planes of any size

template <typename T>
void transpose(const TransposedPlane& plane, int64_t begin, int64_t end, bool past_cache) {
  if constexpr (sizeof(T) == sizeof(uint8_t) || sizeof(T) == sizeof(uint32_t)) {
    if (try_narrow<T, 2>(plane, begin, end) || try_narrow<T, 3>(plane, begin, end) ||
        try_narrow<T, 4>(plane, begin, end)) {
      return;
    }
  }
  if (try_few_rows<T>(plane, begin, end)) return;
  Tile<T> tile;
  for (int64_t row = 0; row < plane.rows; row += Tile<T>::rows) {
    const int64_t rows = HWY_MIN(Tile<T>::rows, plane.rows - row);
    for (int64_t column = begin; column < end; column += Tile<T>::columns) {
      const int64_t columns = HWY_MIN(Tile<T>::columns, end - column);
      gather(plane, row, rows, column, columns, tile);
      for (int64_t c = 0; c < columns; ++c) {
        char* to = plane.destination + (column + c) * plane.destination_step;
        write_run(tile.buffer + c * Tile<T>::rows, reinterpret_cast<T*>(to) + row, rows,
                  past_cache);
      }
    }
  }
  if (past_cache) hwy::FlushStream();
}

TransposeColumns find_transpose(int64_t element_bytes) {
  switch (element_bytes) {
    case 1: return transpose<uint8_t>;
    case 2: return transpose<uint16_t>;
    case 4: return transpose<uint32_t>;
    case 8: return transpose<uint64_t>;
    default: return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cpu {
HWY_EXPORT(find_transpose);
TransposeColumns transpose_columns(int64_t element_bytes) {
  return HWY_DYNAMIC_DISPATCH(find_transpose)(element_bytes);
}
}  // namespace cpu
#endif
