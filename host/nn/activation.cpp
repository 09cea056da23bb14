#include <fmt/format.h>

#include <switchyard/nn/activation.hpp>

#include <switchyard/functions/neural.hpp>
#include <switchyard/functions/pointwise.hpp>

#include "nn/new_parameter.hpp"
#include "nn/python_text.hpp"

namespace switchyard::nn {

Tensor ReLU::forward(const Tensor& x) { return relu(x); }
Tensor ReLU6::forward(const Tensor& x) { return relu6(x); }
Tensor SELU::forward(const Tensor& x) { return selu(x); }
Tensor SiLU::forward(const Tensor& x) { return silu(x); }
Tensor Mish::forward(const Tensor& x) { return mish(x); }
Tensor Softplus::forward(const Tensor& x) { return softplus(x); }
Tensor Softsign::forward(const Tensor& x) { return softsign(x); }
Tensor Sigmoid::forward(const Tensor& x) { return sigmoid(x); }
Tensor LogSigmoid::forward(const Tensor& x) { return logsigmoid(x); }
Tensor Hardsigmoid::forward(const Tensor& x) { return hardsigmoid(x); }
Tensor Hardswish::forward(const Tensor& x) { return hardswish(x); }
Tensor Tanh::forward(const Tensor& x) { return tanh(x); }

Tensor LeakyReLU::forward(const Tensor& x) { return leaky_relu(x, negative_slope); }
Tensor ELU::forward(const Tensor& x) { return elu(x, alpha); }
Tensor Hardtanh::forward(const Tensor& x) { return hardtanh(x, low, high); }
Tensor GELU::forward(const Tensor& x) { return gelu(x, approximation); }
Tensor GLU::forward(const Tensor& x) { return glu(x, dim); }

PReLU::PReLU(Int num_parameters, Real init)
    : weight(register_parameter("weight", filled_parameter({num_parameters}, init))) {}
Tensor PReLU::forward(const Tensor& x) { return prelu(x, weight); }

Tensor Softmax::forward(const Tensor& x) { return softmax(x, dim); }
Tensor LogSoftmax::forward(const Tensor& x) { return log_softmax(x, dim); }

std::string Softplus::extra_repr() const { return "beta=1, threshold=20"; }
std::string LeakyReLU::extra_repr() const {
  return "negative_slope=" + python_text(negative_slope);
}
std::string ELU::extra_repr() const { return "alpha=" + python_text(alpha); }
std::string Hardtanh::extra_repr() const {
  return fmt::format("min_val={}, max_val={}", python_text(low), python_text(high));
}

std::string GELU::extra_repr() const {
  return approximation == GeluApproximation::tanh ? "approximate='tanh'" : "approximate='none'";
}
std::string GLU::extra_repr() const { return fmt::format("dim={}", dim); }
std::string PReLU::extra_repr() const { return fmt::format("num_parameters={}", weight.size()); }
std::string Softmax::extra_repr() const { return fmt::format("dim={}", dim); }
std::string LogSoftmax::extra_repr() const { return fmt::format("dim={}", dim); }

}  // namespace switchyard::nn
