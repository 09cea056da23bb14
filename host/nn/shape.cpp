#include <switchyard/nn/shape.hpp>

#include <switchyard/functions/shaping.hpp>

namespace switchyard::nn {

Tensor Identity::forward(const Tensor& x) { return x; }
Tensor Flatten::forward(const Tensor& x) { return flatten(x, start_dim, end_dim); }
Tensor Unflatten::forward(const Tensor& x) { return unflatten(x, dim, shape); }

}  // namespace switchyard::nn
