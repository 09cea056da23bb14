// Convolutions of one to three spatial dimensions, and their gradients.
#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/require.hpp"
#include "functions/neural/windows.hpp"
#include "ops/shapes/elementwise/elementwise.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kConv("Conv"), kConvTranspose("ConvTranspose");

void check_types(std::string_view name, const Tensor& x, const Tensor& weight, const Tensor& bias) {
  if (weight.dtype() == x.dtype() && (!bias.defined() || bias.dtype() == x.dtype())) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] input, weights and bias must be of one dtype, got {}, {}{}", name,
                          name_of(x.dtype()), name_of(weight.dtype()),
                          bias.defined() ? fmt::format(" and {}", name_of(bias.dtype())) : ""));
}

void check_bias(std::string_view name, const Tensor& bias, std::int64_t out) {
  if (!bias.defined() || bias.shape() == Dims{out}) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] the bias {} must hold one number for each of {} "
                          "output channels",
                          name, describe(bias.shape()), out));
}

/// `taken` are the channels that the weights take, `cut` those of which the groups are made.
void check_channels(std::string_view name, const Tensor& x, const Tensor& weight,
                    std::int64_t groups, std::int64_t taken, std::int64_t cut) {
  const std::size_t spatial = weight.shape().size() - 2;
  const std::int64_t channels = x.shape()[x.shape().size() - spatial - 1];
  if (groups >= 1 && cut % groups == 0 && taken == channels) return;
  throw Error(ErrorKind::shape_mismatch,
              fmt::format("[{}] weights {} in {} groups do not go with an input {} of {} channels",
                          name, describe(weight.shape()), groups, describe(x.shape()), channels));
}

void check_ranks(std::string_view name, const Tensor& x, const Tensor& weight,
                 std::size_t spatial) {
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  require_floating(name, x);
  require_rank(name, x, rank - 1, rank);
  require_rank(name, weight, rank, rank);
}

Tensor convolve(std::string_view name, std::size_t spatial, const Tensor& x, const Tensor& weight,
                const Tensor& bias, const ConvOptions& options) {
  check_ranks(name, x, weight, spatial);
  const std::int64_t out = weight.shape()[0];
  const std::int64_t taken = multiply_extents(weight.shape()[1], options.groups);
  check_channels(name, x, weight, options.groups, taken, out);
  check_bias(name, bias, out);
  check_types(name, x, weight, bias);
  const auto strides = for_each_axis(name, "stride", options.stride, spatial, 1);
  const auto padding = for_each_axis(name, "padding", options.padding, spatial, 0);
  const auto dilations = for_each_axis(name, "dilation", options.dilation, spatial, 1);
  const Attributes window = attributes({{"dilations", dilations},
                                        {"group", options.groups},
                                        {"pads", both_ends(padding)},
                                        {"strides", strides}});
  return with_batch(x, spatial, [&](const Tensor& batch) {
    return bias.defined() ? kConv({batch, weight, bias}, window) : kConv({batch, weight}, window);
  });
}

void check_output_padding(std::string_view name, const std::vector<std::int64_t>& more,
                          const std::vector<std::int64_t>& strides,
                          const std::vector<std::int64_t>& dilations) {
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more[i] < std::max(strides[i], dilations[i])) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] output_padding {} must be less than the stride "
                            "{} or the dilation {}",
                            name, more[i], strides[i], dilations[i]));
  }
}

Tensor transposed(std::string_view name, std::size_t spatial, const Tensor& x, const Tensor& weight,
                  const Tensor& bias, const ConvTransposeOptions& options) {
  check_ranks(name, x, weight, spatial);
  const std::int64_t in = weight.shape()[0];
  check_channels(name, x, weight, options.groups, in, in);
  check_bias(name, bias, multiply_extents(weight.shape()[1], options.groups));
  check_types(name, x, weight, bias);
  const auto strides = for_each_axis(name, "stride", options.stride, spatial, 1);
  const auto padding = for_each_axis(name, "padding", options.padding, spatial, 0);
  const auto more = for_each_axis(name, "output_padding", options.output_padding, spatial, 0);
  const auto dilations = for_each_axis(name, "dilation", options.dilation, spatial, 1);
  check_output_padding(name, more, strides, dilations);
  const Attributes window = attributes({{"dilations", dilations},
                                        {"group", options.groups},
                                        {"output_padding", more},
                                        {"pads", both_ends(padding)},
                                        {"strides", strides}});
  return with_batch(x, spatial, [&](const Tensor& batch) {
    return bias.defined() ? kConvTranspose({batch, weight, bias}, window)
                          : kConvTranspose({batch, weight}, window);
  });
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const ConvOptions& options) {
  const CalledFunction here;
  return convolve("conv1d", 1, x, weight, bias, options);
}
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const ConvOptions& options) {
  const CalledFunction here;
  return convolve("conv2d", 2, x, weight, bias, options);
}
Tensor conv3d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const ConvOptions& options) {
  const CalledFunction here;
  return convolve("conv3d", 3, x, weight, bias, options);
}

Tensor conv_transpose1d(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const ConvTransposeOptions& options) {
  const CalledFunction here;
  return transposed("conv_transpose1d", 1, x, weight, bias, options);
}
Tensor conv_transpose2d(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const ConvTransposeOptions& options) {
  const CalledFunction here;
  return transposed("conv_transpose2d", 2, x, weight, bias, options);
}
Tensor conv_transpose3d(const Tensor& x, const Tensor& weight, const Tensor& bias,
                        const ConvTransposeOptions& options) {
  const CalledFunction here;
  return transposed("conv_transpose3d", 3, x, weight, bias, options);
}

}  // namespace switchyard
