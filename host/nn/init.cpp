#include <switchyard/nn/init.hpp>

#include <fmt/format.h>

#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>

#include "types/describe.hpp"

namespace switchyard::nn::init {
namespace {

double kaiming_deviation(const Tensor& weight, const KaimingOptions& options) {
  const Fans fans = fan_in_and_fan_out(weight);
  const bool is_leaky = options.nonlinearity == Nonlinearity::leaky_relu;
  const std::optional<double> slope = is_leaky ? options.a.value_or(0) : options.a;
  return calculate_gain(options.nonlinearity, slope) /
         std::sqrt(options.fan_out ? fans.fan_out : fans.fan_in);
}

double xavier_deviation(const Tensor& weight, double gain) {
  const Fans fans = fan_in_and_fan_out(weight);
  return gain * std::sqrt(2 / (fans.fan_in + fans.fan_out));
}

/// Uniform numbers of that deviation and mean 0.
Tensor uniform_of_deviation(const Tensor& weight, double deviation) {
  const double bound = std::sqrt(3.0) * deviation;
  return uniform_(weight, -bound, bound);
}

}  // namespace

Tensor uniform_(const Tensor& tensor, Real low, Real high) {
  const NoGrad no_grad;
  return tensor.uniform_(low, high);
}

Tensor normal_(const Tensor& tensor, Real mean, Real deviation) {
  const NoGrad no_grad;
  return tensor.normal_(mean, deviation);
}

Tensor constant_(const Tensor& tensor, Real value) {
  const NoGrad no_grad;
  return tensor.fill_(double{value});
}

Tensor zeros_(const Tensor& tensor) { return constant_(tensor, 0); }
Tensor ones_(const Tensor& tensor) { return constant_(tensor, 1); }

Tensor eye_(const Tensor& tensor) {
  if (tensor.dim() != 2) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[eye_] needs a matrix, got shape {}", describe(tensor.shape())));
  }
  const NoGrad no_grad;
  return tensor.copy_(eye(tensor.size(0), tensor.size(1)).to(tensor.dtype()));
}

double calculate_gain(Nonlinearity nonlinearity, std::optional<double> slope) {
  if (slope && nonlinearity != Nonlinearity::leaky_relu) {
    throw Error(ErrorKind::invalid_argument,
                "[calculate_gain] only leaky_relu has a slope; leave it out");
  }
  switch (nonlinearity) {
    case Nonlinearity::tanh: return 5.0 / 3;
    case Nonlinearity::relu: return std::sqrt(2.0);
    case Nonlinearity::leaky_relu: {
      const double a = slope.value_or(0.01);
      return std::sqrt(2 / (1 + a * a));
    }
    case Nonlinearity::selu: return 0.75;
    case Nonlinearity::linear:
    case Nonlinearity::sigmoid: break;
  }
  return 1;
}

Fans fan_in_and_fan_out(const Tensor& weight) {
  if (weight.dim() < 2) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("a weight of shape {} has no inputs and outputs: it needs two "
                            "dimensions or more",
                            describe(weight.shape())));
  }
  double kernel = 1;
  for (std::int64_t d = 2; d < weight.dim(); ++d) kernel *= static_cast<double>(weight.size(d));
  return {static_cast<double>(weight.size(1)) * kernel,
          static_cast<double>(weight.size(0)) * kernel};
}

Tensor xavier_uniform_(const Tensor& weight, Real gain) {
  return uniform_of_deviation(weight, xavier_deviation(weight, gain));
}
Tensor xavier_normal_(const Tensor& weight, Real gain) {
  return normal_(weight, 0, xavier_deviation(weight, gain));
}
Tensor kaiming_uniform_(const Tensor& weight, const KaimingOptions& options) {
  return uniform_of_deviation(weight, kaiming_deviation(weight, options));
}
Tensor kaiming_normal_(const Tensor& weight, const KaimingOptions& options) {
  return normal_(weight, 0, kaiming_deviation(weight, options));
}

}  // namespace switchyard::nn::init
