// Convolutions of one and two spatial dimensions.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/call.hpp"
#include "functions/require.hpp"
#include "functions/windows.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kConv("Conv");

void check(std::string_view name, const Tensor& x, const Tensor& weight, const Tensor& bias,
           std::int64_t groups, std::size_t spatial) {
  const auto rank = static_cast<std::int64_t>(spatial) + 2;
  require_floating(name, x);
  require_rank(name, x, rank - 1, rank);
  require_rank(name, weight, rank, rank);
  const std::int64_t channels = x.shape()[x.shape().size() - spatial - 1];
  const bool divides = groups >= 1 && weight.shape()[0] % groups == 0;
  if (!divides || weight.shape()[1] * groups != channels) {
    throw Error(
        ErrorKind::usage,
        fmt::format("[{}] weights {} in {} groups do not go with an input {} of {} channels", name,
                    describe(weight.shape()), groups, describe(x.shape()), channels));
  }
  if (bias && bias.shape() != Dims{weight.shape()[0]}) {
    throw Error(ErrorKind::usage,
                fmt::format("[{}] the bias {} must hold one number for each of {} "
                            "output channels",
                            name, describe(bias.shape()), weight.shape()[0]));
  }
  if (weight.dtype() == x.dtype() && (!bias || bias.dtype() == x.dtype())) return;
  throw Error(ErrorKind::usage,
              fmt::format("[{}] input, weights and bias must be of one dtype, got {}, {}{}", name,
                          name_of(x.dtype()), name_of(weight.dtype()),
                          bias ? fmt::format(" and {}", name_of(bias.dtype())) : ""));
}

Tensor convolve(std::string_view name, std::size_t spatial, const Tensor& x, const Tensor& weight,
                const Tensor& bias, const ConvOptions& options) {
  check(name, x, weight, bias, options.groups, spatial);
  const auto strides = for_each_axis(name, "stride", options.stride, spatial, 1);
  const auto padding = for_each_axis(name, "padding", options.padding, spatial, 0);
  const auto dilations = for_each_axis(name, "dilation", options.dilation, spatial, 1);
  const Attributes window = attributes({{"dilations", dilations},
                                        {"group", options.groups},
                                        {"pads", both_ends(padding)},
                                        {"strides", strides}});
  return with_batch(x, spatial, [&](const Tensor& batch) {
    return bias ? kConv({batch, weight, bias}, window) : kConv({batch, weight}, window);
  });
}

}  // namespace

Tensor conv1d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const ConvOptions& options) {
  return convolve("conv1d", 1, x, weight, bias, options);
}
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias,
              const ConvOptions& options) {
  return convolve("conv2d", 2, x, weight, bias, options);
}

}  // namespace switchyard
