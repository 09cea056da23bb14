#include <switchyard/nn/convolution.hpp>

#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions/image.hpp>
#include <switchyard/functions/neural.hpp>

#include "functions/calls/require.hpp"
#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {
namespace {

/// The numbers of an option of a layer: one for each spatial dimension, at least `least`.
Dims one_each(const std::string& layer, const char* option, const Dims& values, std::size_t spatial,
              std::int64_t least) {
  for (const std::int64_t value : values) require_at_least(layer, option, value, least);
  if (values.size() == spatial) return values;
  if (values.size() == 1) return Dims::filled(spatial, values[0]);
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] {} {} has neither one number nor one for each of {} spatial "
                          "dimensions",
                          layer, option, listed(values), spatial));
}

Dims weight_shape(const std::string& layer, std::int64_t in, std::int64_t out, const Dims& kernel,
                  std::int64_t groups) {
  require_at_least(layer, "in_channels", in, 0);
  require_at_least(layer, "out_channels", out, 0);
  if (groups < 1 || in % groups != 0 || out % groups != 0) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[{}] {} to {} channels cannot be cut into {} groups", layer, in, out, groups));
  }
  Dims shape{out, in / groups};
  for (const std::int64_t extent : kernel) shape.push_back(extent);
  return shape;
}

Dims transposed_weight_shape(const std::string& layer, std::int64_t in, std::int64_t out,
                             const Dims& kernel, std::int64_t groups) {
  Dims shape = weight_shape(layer, in, out, kernel, groups);
  shape[0] = in;
  shape[1] = out / groups;
  return shape;
}

void check_same(const ConvolutionOptions& options) {
  for (const std::int64_t stride : options.stride) {
    if (stride == 1) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[Conv{}d] PaddingRule::same needs a stride of 1, not {}; give the "
                            "padding as numbers",
                            options.stride.size(), listed(options.stride)));
  }
}

}  // namespace

Convolution::Convolution(std::size_t spatial, Int in_channels, Int out_channels,
                         const Dims& kernel_size, const ConvolutionOptions& options)
    : options(options) {
  const std::string layer = fmt::format("Conv{}d", spatial);
  this->kernel_size = one_each(layer, "kernel_size", kernel_size, spatial, 1);
  this->options.stride = one_each(layer, "stride", options.stride, spatial, 1);
  this->options.dilation = one_each(layer, "dilation", options.dilation, spatial, 1);
  if (!options.padding.rule) {
    this->options.padding.extents = one_each(layer, "padding", options.padding.extents, spatial, 0);
  }
  if (options.padding.rule == PaddingRule::same) check_same(this->options);
  const Dims shape =
      weight_shape(layer, in_channels, out_channels, this->kernel_size, options.groups);
  weight = register_parameter("weight", new_parameter(shape));
  bias = register_parameter("bias", new_parameter({out_channels}, options.bias));
  fill_as_product(weight, bias);
}

Convolution::Ends Convolution::padded_ends() const {
  const ConvPadding& padding = options.padding;
  if (!padding.rule) return {padding.extents, padding.extents};
  Ends ends{Dims::filled(kernel_size.size(), 0), Dims::filled(kernel_size.size(), 0)};
  if (padding.rule == PaddingRule::valid) return ends;
  for (std::size_t i = 0; i < kernel_size.size(); ++i) {
    const std::int64_t both = options.dilation[i] * (kernel_size[i] - 1);
    ends.begin[i] = both / 2;
    ends.end[i] = both - both / 2;
  }
  return ends;
}

Tensor Convolution::padded(const Tensor& x) const {
  auto [begin, end] = padded_ends();
  const bool zeros = options.padding_mode == PaddingMode::constant;
  if (zeros && begin == end) return x;
  Dims both;  // the last dimension first
  for (std::size_t i = begin.size(); i-- > 0;) {
    both.push_back(zeros ? 0 : begin[i]);
    both.push_back(zeros ? end[i] - begin[i] : end[i]);
  }
  return pad(x, both, options.padding_mode);
}

Dims Convolution::remaining_padding() const {
  return options.padding_mode == PaddingMode::constant ? padded_ends().begin
                                                       : Dims::filled(kernel_size.size(), 0);
}

Conv1d::Conv1d(Int in_channels, Int out_channels, const Dims& kernel_size,
               const ConvolutionOptions& options)
    : Convolution(1, in_channels, out_channels, kernel_size, options) {}

Tensor Conv1d::forward(const Tensor& x) {
  return conv1d(padded(x), weight, bias,
                {.dilation = options.dilation,
                 .groups = options.groups,
                 .padding = remaining_padding(),
                 .stride = options.stride});
}

Conv2d::Conv2d(Int in_channels, Int out_channels, const Dims& kernel_size,
               const ConvolutionOptions& options)
    : Convolution(2, in_channels, out_channels, kernel_size, options) {}

Tensor Conv2d::forward(const Tensor& x) {
  return conv2d(padded(x), weight, bias,
                {.dilation = options.dilation,
                 .groups = options.groups,
                 .padding = remaining_padding(),
                 .stride = options.stride});
}

Conv3d::Conv3d(Int in_channels, Int out_channels, const Dims& kernel_size,
               const ConvolutionOptions& options)
    : Convolution(3, in_channels, out_channels, kernel_size, options) {}

Tensor Conv3d::forward(const Tensor& x) {
  return conv3d(padded(x), weight, bias,
                {.dilation = options.dilation,
                 .groups = options.groups,
                 .padding = remaining_padding(),
                 .stride = options.stride});
}

ConvolutionTranspose::ConvolutionTranspose(std::size_t spatial, Int in_channels, Int out_channels,
                                           const Dims& kernel_size,
                                           const ConvolutionTransposeOptions& options)
    : options(options) {
  const std::string layer = fmt::format("ConvTranspose{}d", spatial);
  this->kernel_size = one_each(layer, "kernel_size", kernel_size, spatial, 1);
  this->options.stride = one_each(layer, "stride", options.stride, spatial, 1);
  this->options.padding = one_each(layer, "padding", options.padding, spatial, 0);
  this->options.output_padding =
      one_each(layer, "output_padding", options.output_padding, spatial, 0);
  this->options.dilation = one_each(layer, "dilation", options.dilation, spatial, 1);
  const Dims shape =
      transposed_weight_shape(layer, in_channels, out_channels, this->kernel_size, options.groups);
  weight = register_parameter("weight", new_parameter(shape));
  bias = register_parameter("bias", new_parameter({out_channels}, options.bias));
  fill_as_product(weight, bias);
}

ConvTransposeOptions ConvolutionTranspose::window() const {
  return {.dilation = options.dilation,
          .groups = options.groups,
          .output_padding = options.output_padding,
          .padding = options.padding,
          .stride = options.stride};
}

ConvTranspose1d::ConvTranspose1d(Int in_channels, Int out_channels, const Dims& kernel_size,
                                 const ConvolutionTransposeOptions& options)
    : ConvolutionTranspose(1, in_channels, out_channels, kernel_size, options) {}

Tensor ConvTranspose1d::forward(const Tensor& x) {
  return conv_transpose1d(x, weight, bias, window());
}

ConvTranspose2d::ConvTranspose2d(Int in_channels, Int out_channels, const Dims& kernel_size,
                                 const ConvolutionTransposeOptions& options)
    : ConvolutionTranspose(2, in_channels, out_channels, kernel_size, options) {}

Tensor ConvTranspose2d::forward(const Tensor& x) {
  return conv_transpose2d(x, weight, bias, window());
}

ConvTranspose3d::ConvTranspose3d(Int in_channels, Int out_channels, const Dims& kernel_size,
                                 const ConvolutionTransposeOptions& options)
    : ConvolutionTranspose(3, in_channels, out_channels, kernel_size, options) {}

Tensor ConvTranspose3d::forward(const Tensor& x) {
  return conv_transpose3d(x, weight, bias, window());
}

/// What goes without saying is left out.
std::string Convolution::extra_repr() const {
  const std::size_t spatial = kernel_size.size();
  std::string text =
      fmt::format("{}, {}, kernel_size={}, stride={}", weight.size(1) * options.groups,
                  weight.size(0), python_tuple(kernel_size), python_tuple(options.stride));
  if (options.padding.rule) {
    text += options.padding.rule == PaddingRule::same ? ", padding=same" : ", padding=valid";
  } else if (options.padding.extents != Dims::filled(spatial, 0)) {
    text += ", padding=" + python_tuple(options.padding.extents);
  }
  if (options.dilation != Dims::filled(spatial, 1))
    text += ", dilation=" + python_tuple(options.dilation);
  if (options.groups != 1) text += fmt::format(", groups={}", options.groups);
  if (!bias.defined()) text += ", bias=False";
  if (options.padding_mode != PaddingMode::constant) {
    text += fmt::format(", padding_mode={}", name_of(options.padding_mode));
  }
  return text;
}

std::string ConvolutionTranspose::extra_repr() const {
  const std::size_t spatial = kernel_size.size();
  std::string text = fmt::format("{}, {}, kernel_size={}, stride={}", weight.size(0),
                                 weight.size(1) * options.groups, python_tuple(kernel_size),
                                 python_tuple(options.stride));
  if (options.padding != Dims::filled(spatial, 0))
    text += ", padding=" + python_tuple(options.padding);
  if (options.dilation != Dims::filled(spatial, 1))
    text += ", dilation=" + python_tuple(options.dilation);
  if (options.output_padding != Dims::filled(spatial, 0)) {
    text += ", output_padding=" + python_tuple(options.output_padding);
  }
  if (options.groups != 1) text += fmt::format(", groups={}", options.groups);
  if (!bias.defined()) text += ", bias=False";
  return text;
}

}  // namespace switchyard::nn
