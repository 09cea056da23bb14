// Transposed convolution over tensors of one type in memory: products of weights and inputs, added
// where their windows lie.
#pragma once

#include <cstdint>

#include "kernels/convolution/sliding_window.hpp"

namespace cpu {

struct TransposedShape {
  Window window;  // of the convolution that it transposes: its input is our output
  int64_t batch = 1, groups = 1;
  int64_t group_inputs = 1, group_outputs = 1;  // channels
};

// x, weights [inputs, group_outputs, kernel...] and y are contiguous; y gets the bias, one number
// for each output channel or null, and the sums. T is float or double. Runs on the team of threads.
template <typename T>
void convolve_transposed(const TransposedShape& shape, const T* x, const T* weights, const T* bias,
                         T* y);

}  // namespace cpu
