// What golden/families_golden.py computes with, and the gradient of a sum that it takes.
#pragma once

#include <functional>
#include <switchyard/functions.hpp>

#include "functions/values.hpp"

namespace switchyard {

inline Tensor small_matrix() {
  return tensor({{3., -1., 2., 2.}, {0.5, 4., -4., 0.}, {-2., 1.5, 1., 3.}});
}
inline Tensor odd_matrix() {
  return tensor({{1., kNan, 2.}, {kInf, 1., -kInf}, {-kInf, -kInf, -kInf}});
}
inline Tensor tied_matrix() { return tensor({{2., 5., 5.}, {7., 7., 7.}}); }
inline Tensor whole_matrix() { return tensor({{1, 2, 3}, {4, 0, -6}}); }
inline Tensor int8_matrix() { return tensor({{1, 2, 100}, {0, 3, 120}}, {.dtype = DType::int8}); }
inline Tensor bool_matrix() { return tensor({{true, false}, {true, true}}); }
inline Tensor matrix_with_zeros() { return tensor({{0., 2., 3.}, {0., 0., 4.}, {2., 3., 4.}}); }
inline Tensor lone_number() { return full({}, -3.0); }
inline Tensor counted_cube() { return arange(24.0).reshape({2, 3, 4}); }

using OfTensor = std::function<Tensor(const Tensor&)>;

/// The gradient of the sum of the results, the first counted once, the second twice, and so on.
inline Tensor weighted_gradient(const OfTensor& function, const Tensor& x) {
  const Tensor leaf = x.clone().requires_grad_();
  const Tensor flat = reshape(function(leaf), {-1});
  const TensorOptions like{.dtype = flat.dtype()};
  sum(mul(flat, add(arange(flat.size(), like), 1))).backward();
  return leaf.grad();
}

}  // namespace switchyard
