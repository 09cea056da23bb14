#include <fmt/format.h>

#include <switchyard/nn/pooling.hpp>

#include "nn/python_text.hpp"

namespace switchyard::nn {

Tensor MaxPool1d::forward(const Tensor& x) { return max_pool1d(x, kernel_size, options); }
Tensor MaxPool2d::forward(const Tensor& x) { return max_pool2d(x, kernel_size, options); }
Tensor MaxPool3d::forward(const Tensor& x) { return max_pool3d(x, kernel_size, options); }
Tensor AvgPool1d::forward(const Tensor& x) { return avg_pool1d(x, kernel_size, options); }
Tensor AvgPool2d::forward(const Tensor& x) { return avg_pool2d(x, kernel_size, options); }
Tensor AvgPool3d::forward(const Tensor& x) { return avg_pool3d(x, kernel_size, options); }

Tensor AdaptiveAvgPool1d::forward(const Tensor& x) { return adaptive_avg_pool1d(x, output_size); }
Tensor AdaptiveAvgPool2d::forward(const Tensor& x) { return adaptive_avg_pool2d(x, output_size); }
Tensor AdaptiveAvgPool3d::forward(const Tensor& x) { return adaptive_avg_pool3d(x, output_size); }
Tensor AdaptiveMaxPool1d::forward(const Tensor& x) { return adaptive_max_pool1d(x, output_size); }
Tensor AdaptiveMaxPool2d::forward(const Tensor& x) { return adaptive_max_pool2d(x, output_size); }
Tensor AdaptiveMaxPool3d::forward(const Tensor& x) { return adaptive_max_pool3d(x, output_size); }

namespace {

template <typename Pool>
const Dims& stride_of(const Pool& pool) {
  return pool.options.stride.empty() ? pool.kernel_size : pool.options.stride;
}

std::string of_average_pool(const AvgPool& pool, std::string (*written)(const Dims&)) {
  return fmt::format("kernel_size={}, stride={}, padding={}", written(pool.kernel_size),
                     written(stride_of(pool)), written(pool.options.padding));
}

}  // namespace

std::string MaxPool::extra_repr() const {
  return fmt::format("kernel_size={}, stride={}, padding={}, dilation={}, ceil_mode={}",
                     python_extents(kernel_size), python_extents(stride_of(*this)),
                     python_extents(options.padding), python_extents(options.dilation),
                     python_text(options.ceil_mode));
}
std::string AvgPool1d::extra_repr() const { return of_average_pool(*this, python_tuple); }
std::string AvgPool2d::extra_repr() const { return of_average_pool(*this, python_extents); }
std::string AvgPool3d::extra_repr() const { return of_average_pool(*this, python_extents); }
std::string AdaptivePool::extra_repr() const {
  return "output_size=" + python_extents(output_size);
}

}  // namespace switchyard::nn
