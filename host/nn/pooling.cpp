#include <switchyard/nn/pooling.hpp>

namespace switchyard::nn {

Tensor MaxPool1d::forward(const Tensor& x) { return max_pool1d(x, kernel_size, options); }
Tensor MaxPool2d::forward(const Tensor& x) { return max_pool2d(x, kernel_size, options); }
Tensor AvgPool1d::forward(const Tensor& x) { return avg_pool1d(x, kernel_size, options); }
Tensor AvgPool2d::forward(const Tensor& x) { return avg_pool2d(x, kernel_size, options); }
Tensor AdaptiveAvgPool2d::forward(const Tensor& x) { return adaptive_avg_pool2d(x, output_size); }

}  // namespace switchyard::nn
