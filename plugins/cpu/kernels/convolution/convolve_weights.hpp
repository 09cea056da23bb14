// The gradient of a convolution's weights over tensors of one type in memory, as a product of the
// output's gradient and windows.
#pragma once

#include "kernels/convolution/convolve.hpp"

namespace cpu {

// weights_gradient [outputs, group_inputs, kernel...], contiguous, gets the sums over all images
// and positions. y_gradient is contiguous. T is float or double. Runs on the team of threads; the
// result does not depend on their number.
template <typename T>
void convolve_weights(const ConvolutionShape& shape, const Images<const T>& x, const T* y_gradient,
                      T* weights_gradient);

}  // namespace cpu
