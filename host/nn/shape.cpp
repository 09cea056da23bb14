#include <fmt/format.h>

#include <switchyard/nn/shape.hpp>

#include <switchyard/functions/shaping.hpp>

#include "nn/python_text.hpp"

namespace switchyard::nn {

Tensor Identity::forward(const Tensor& x) { return x; }
Tensor Flatten::forward(const Tensor& x) { return flatten(x, start_dim, end_dim); }
Tensor Unflatten::forward(const Tensor& x) { return unflatten(x, dim, shape); }

std::string Flatten::extra_repr() const {
  return fmt::format("start_dim={}, end_dim={}", start_dim, end_dim);
}

std::string Unflatten::extra_repr() const {
  return fmt::format("dim={}, unflattened_size={}", dim, python_tuple(shape));
}

}  // namespace switchyard::nn
