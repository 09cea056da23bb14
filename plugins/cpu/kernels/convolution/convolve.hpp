// Convolution over tensors of one type in memory, as a product of weights and windows.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "gemm/gemm.hpp"
#include "kernels/convolution/sliding_window.hpp"

namespace cpu {

// An image batch [N, C, D, H, W]; steps count elements and may be anything.
template <typename T>
struct Images {
  T* data;
  std::array<int64_t, 5> steps;
};

struct ConvolutionShape {
  Window window;
  int64_t batch = 1, groups = 1;
  int64_t group_inputs = 1, group_outputs = 1;  // channels

  int64_t depth() const { return group_inputs * volume(window.kernel); }  // of one sum
  int64_t outputs() const { return groups * group_outputs; }
};

// y, contiguous, gets the convolution and the bias, which has one number for each output channel or
// is null. `weights` are [outputs, group_inputs, kernel...], contiguous, or the panels of
// pack_weights. T is float, double or int32_t (wrapping). Runs on the team of threads.
template <typename T>
void convolve(const ConvolutionShape& shape, const Images<const T>& x,
              const GemmOperand<T>& weights, const T* bias, T* y);

// Panels for GemmOperand::panels, group by group; `panels` holds packed_weights_size elements.
template <typename T>
int64_t packed_weights_size(const ConvolutionShape& shape);
template <typename T>
void pack_weights(const ConvolutionShape& shape, const T* weights, T* panels);

// True if products would be of single rows: convolve then reads the weights as they are, not
// packed.
bool is_depthwise(const ConvolutionShape& shape);

}  // namespace cpu
