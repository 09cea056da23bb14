#pragma once

#include <cmath>
#include <cstdint>
#include <switchyard/functions/creation.hpp>
#include <switchyard/nn/init.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard::nn {

/// A tensor to be filled, or none where a module goes without.
inline Tensor new_parameter(const Dims& shape, bool wanted = true) {
  return wanted ? empty(shape) : Tensor();
}
inline Tensor filled_parameter(const Dims& shape, double value, bool wanted = true) {
  return wanted ? full(shape, value) : Tensor();
}

/// What PyTorch fills the weights of products with: uniform within 1 / sqrt(fan_in), which it
/// calls kaiming_uniform with a = sqrt(5); and their biases.
inline void fill_as_product(const Tensor& weight, const Tensor& bias) {
  const double fan_in = init::fan_in_and_fan_out(weight).fan_in;
  const double bound = fan_in > 0 ? 1 / std::sqrt(fan_in) : 0;
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}

}  // namespace switchyard::nn
