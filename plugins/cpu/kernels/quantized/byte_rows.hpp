// The vector loops of quantized products.
#pragma once

#include <cstdint>

namespace cpu {

// Two neighbours as int16_t in an int32_t, the first in its low half; an odd last one has 0.
void pair_row(const uint8_t* from, int64_t count, int32_t* to);

// to[i] = table[from[i]], of 256 bytes. `to` may be `from`.
void look_up_bytes(const uint8_t* from, int64_t count, const uint8_t* table, uint8_t* to);

// int8_t to uint8_t, 128 more.
void flip_row(const uint8_t* from, int64_t count, uint8_t* to);

int32_t sum_row(const uint8_t* from, int64_t count);

// sums[j] -= row_excess * right_zeros[j], modulo 2^32.
void take_off_row(int32_t* sums, int64_t count, int32_t row_excess, const int32_t* right_zeros);

// Rows of sums, with one number for each column.
struct SumRows {
  const int32_t* sums;
  int64_t rows, columns;
  const int32_t* terms;  // added to the sums, modulo 2^32
  const float* factors;  // of bytes
  bool factors_are_finite;
};

// to[i][j] = sums[i][j] + terms[j]; rows of `to` are `step` apart.
void write_sums(const SumRows& from, int32_t* to, int64_t step);

// to[i][j] = saturate(round((sums[i][j] + terms[j]) * factors[j]) + zero), ties to even; 0
// where that is NaN. `T` is int8_t or uint8_t.
template <typename T>
void write_bytes(const SumRows& from, int32_t zero, T* to, int64_t step);

// to[i] = saturate(round(from[i] / scale) + zero), ties to even; 0 where that is NaN. `T` is int8_t
// or uint8_t, and holds `zero`.
template <typename T>
void write_quantized(const float* from, int64_t count, float scale, int32_t zero, T* to);

// to[i] = (from[i] - zero) * scale. `T` is int8_t or uint8_t.
template <typename T>
void write_reals(const T* from, int64_t count, int32_t zero, float scale, float* to);

// sums[j] = sum over taps of taps[t][j] times a byte of `weights`, whose pairs of taps are
// [(count + 1) / 2, channels].
void depthwise_row(const uint8_t* const* taps, int64_t count, const int32_t* weights,
                   int64_t channels, int32_t* sums);

}  // namespace cpu
