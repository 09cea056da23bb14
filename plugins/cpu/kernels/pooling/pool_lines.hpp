// The inner loops of pooling: positions in a line, each joining the same pattern of elements.
#pragma once

#include <cstdint>

namespace cpu {

enum class PoolKind { max, sum, sum_of_magnitudes, root_of_squares, power };

// y[i] joins x[i * x_step + taps[t]] for all taps. `number`: what a sum is multiplied by, or the
// exponent of a power. NaN wins over all numbers; no taps at all give the least number, or 0.
template <typename T>
using PoolLine = void (*)(const T* x, int64_t x_step, const int64_t* taps, int64_t tap_count, T* y,
                          int64_t count, T number);

// Vectors of float, for all kinds but power.
PoolLine<float> vector_pool_line(PoolKind kind);

// Position i takes x[i * x_step], and first + i * step as its index, if that is larger or the
// position has no index (-1); a NaN is larger than all numbers, and stays.
using LargestLine = void (*)(const float* x, int64_t x_step, int32_t first, int32_t step,
                             int64_t count, float* largest, int32_t* indices);
LargestLine vector_largest_line();

// Positions side by side with all their channels, which are neighbours. Channel c of position p
// sees x[p * x_step + taps[t] + c], whose index is firsts[c] + indices[t] + p * index_step.
template <typename T>
struct ChannelPositions {
  const T* x;
  int64_t x_step;
  const int64_t* taps;
  const int64_t* indices;
  int64_t tap_count;  // at least 1
  int64_t index_step;
  int64_t count, channels;
  const int64_t* firsts;  // of all channels, and room to read `more_firsts` behind them
};
inline constexpr int64_t more_firsts = 16;

// The largest element of each channel of each position, and its index: the first of equals, and the
// first NaN over all numbers. Indices without `firsts` fit into int32_t.
using LargestOfChannels = void (*)(const ChannelPositions<float>& positions, float* largest,
                                   int64_t* indices);
LargestOfChannels vector_largest_of_channels();

// For float, double, int8_t and uint8_t; of the latter two only `most`.
template <typename T>
PoolLine<T> pool_line(PoolKind kind);

}  // namespace cpu
