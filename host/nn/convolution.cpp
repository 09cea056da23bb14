#include <switchyard/nn/convolution.hpp>

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions/image.hpp>
#include <switchyard/functions/neural.hpp>

#include "nn/new_parameter.hpp"
#include "ops/describe.hpp"

namespace switchyard::nn {
namespace {

/// One number for each spatial dimension.
Dims one_each(const Dims& values, std::size_t spatial) {
  if (values.size() == spatial) return values;
  if (values.size() == 1) return Dims(spatial, values[0]);
  throw Error(ErrorKind::usage,
              fmt::format("{} has neither one number nor one for each of {} spatial dimensions",
                          describe(values), spatial));
}

Dims weight_shape(std::int64_t in, std::int64_t out, const Dims& kernel, std::int64_t groups) {
  if (groups < 1 || in % groups != 0 || out % groups != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("a convolution of {} to {} channels cannot be cut into {} groups", in,
                            out, groups));
  }
  Dims shape{out, in / groups};
  for (const std::int64_t extent : kernel) shape.push_back(extent);
  return shape;
}

}  // namespace

Convolution::Convolution(std::size_t spatial, std::int64_t in_channels, std::int64_t out_channels,
                         const Dims& kernel_size, const ConvLayerOptions& options)
    : kernel_size(one_each(kernel_size, spatial)), options(options) {
  this->options.padding = one_each(options.padding, spatial);
  const Dims shape = weight_shape(in_channels, out_channels, this->kernel_size, options.groups);
  weight = register_parameter("weight", new_parameter(shape));
  bias = register_parameter("bias", new_parameter({out_channels}, options.bias));
  fill_as_product(weight, bias);
}

Tensor Convolution::padded(const Tensor& x) const {
  if (options.padding_mode == "zeros") return x;
  Dims both_ends;
  for (std::size_t i = options.padding.size(); i-- > 0;) {
    both_ends.push_back(options.padding[i]);
    both_ends.push_back(options.padding[i]);
  }
  return pad(x, both_ends, options.padding_mode);
}

Dims Convolution::remaining_padding() const {
  return options.padding_mode == "zeros" ? options.padding : Dims(options.padding.size(), 0);
}

Conv1d::Conv1d(std::int64_t in_channels, std::int64_t out_channels, const Dims& kernel_size,
               const ConvLayerOptions& options)
    : Convolution(1, in_channels, out_channels, kernel_size, options) {}

Tensor Conv1d::forward(const Tensor& x) {
  return conv1d(padded(x), weight, bias,
                {.stride = options.stride,
                 .padding = remaining_padding(),
                 .dilation = options.dilation,
                 .groups = options.groups});
}

Conv2d::Conv2d(std::int64_t in_channels, std::int64_t out_channels, const Dims& kernel_size,
               const ConvLayerOptions& options)
    : Convolution(2, in_channels, out_channels, kernel_size, options) {}

Tensor Conv2d::forward(const Tensor& x) {
  return conv2d(padded(x), weight, bias,
                {.stride = options.stride,
                 .padding = remaining_padding(),
                 .dilation = options.dilation,
                 .groups = options.groups});
}

}  // namespace switchyard::nn
