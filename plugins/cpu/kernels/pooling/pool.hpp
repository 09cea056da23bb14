// Pooling over tensors of one type in memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/convolution/convolve.hpp"
#include "kernels/pooling/pool_lines.hpp"

namespace cpu {

struct PoolShape {
  Window window;
  int64_t batch = 1, channels = 1;
};

struct PoolMeaning {
  PoolKind kind = PoolKind::max;
  bool average = false;         // a sum is divided by the number of elements it joins ...
  bool counts_padding = false;  // ... those of the padding included
  double exponent = 0;          // of a power
};

// y is dense, channels-last if `last` and contiguous otherwise. T is float, double, int8_t or
// uint8_t. Runs on the team of threads.
template <typename T>
void pool(const PoolShape& shape, const PoolMeaning& meaning, const Images<const T>& x, bool last,
          T* y);

// The largest elements, and where they lie in x were it contiguous, or, with `columns_first`, were
// its spatial axes in the reverse order; -1 where a window sees nothing. The first of equals wins,
// and the first NaN over all numbers. y and indices are dense: channels-last if `last`, which wants
// channels of x that are neighbours, and contiguous otherwise.
template <typename T>
void pool_with_indices(const PoolShape& shape, const Images<const T>& x, bool last,
                       bool columns_first, T* y, int64_t* indices);

// How many positions are worth a thread, if each joins so many elements.
inline int64_t pool_grain(int64_t elements) {
  return std::max<int64_t>(1, 65536 / std::max<int64_t>(1, elements));
}

}  // namespace cpu
