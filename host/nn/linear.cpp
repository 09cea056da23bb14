#include <fmt/format.h>

#include <switchyard/nn/linear.hpp>

#include <switchyard/functions/linear.hpp>
#include <switchyard/functions/pointwise.hpp>

#include "functions/calls/require.hpp"
#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {

Linear::Linear(std::int64_t in_features, std::int64_t out_features, const LinearOptions& options)
    : weight(register_parameter(
          "weight", new_parameter({require_at_least("Linear", "out_features", out_features, 0),
                                   require_at_least("Linear", "in_features", in_features, 0)}))),
      bias(register_parameter("bias", new_parameter({out_features}, options.bias))) {
  fill_as_product(weight, bias);
}

Linear::Linear(const Tensor& weight, const Tensor& bias)
    : weight(register_parameter("weight", weight)), bias(register_parameter("bias", bias)) {}

Tensor Linear::forward(const Tensor& x) { return linear(x, weight, bias); }

Bilinear::Bilinear(Int in1_features, Int in2_features, Int out_features,
                   const LinearOptions& options)
    : weight(register_parameter(
          "weight",
          new_parameter({require_at_least("Bilinear", "out_features", out_features, 0),
                         require_at_least("Bilinear", "in1_features", in1_features, 1),
                         require_at_least("Bilinear", "in2_features", in2_features, 0)}))),
      bias(register_parameter("bias", new_parameter({out_features}, options.bias))) {
  const double bound = 1 / std::sqrt(static_cast<double>(in1_features));
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

Tensor Bilinear::operator()(const Tensor& a, const Tensor& b) {
  const Tensor product = einsum("...i,kij,...j->...k", {a, weight, b});
  return bias.defined() ? product + bias : product;
}

std::string Linear::extra_repr() const {
  return fmt::format("in_features={}, out_features={}, bias={}", weight.size(1), weight.size(0),
                     python_text(bias.defined()));
}

std::string Bilinear::extra_repr() const {
  return fmt::format("in1_features={}, in2_features={}, out_features={}, bias={}", weight.size(1),
                     weight.size(2), weight.size(0), python_text(bias.defined()));
}

}  // namespace switchyard::nn
