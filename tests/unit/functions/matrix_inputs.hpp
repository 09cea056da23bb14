// What golden/linear_algebra_golden.py computes with.
#pragma once

#include <switchyard/functions.hpp>

#include "functions/family_inputs.hpp"

namespace switchyard {

/// Numbers from -1 to 1.5 that follow no simple pattern.
inline Tensor counted(const Dims& shape, std::int64_t step = 7) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  const Tensor numbers = remainder(mul(arange(count), step), 11).to(DType::float64);
  return sub(div(numbers, 4), 1).reshape(shape);
}

/// Those of a stack of square matrices, with 3 on the diagonal besides.
inline Tensor square_matrices(const Dims& stack, std::int64_t n) {
  Dims shape = stack;
  shape.push_back(n);
  shape.push_back(n);
  return add(counted(shape), mul(eye(n, {}, {.dtype = DType::float64}), 3));
}

/// Symmetric and positive definite ones.
inline Tensor definite_matrices(const Dims& stack, std::int64_t n) {
  Dims shape = stack;
  shape.push_back(n);
  shape.push_back(n);
  const Tensor x = counted(shape);
  return add(matmul(x, transpose(x, -2, -1)), eye(n, {}, {.dtype = DType::float64}));
}

inline Tensor symmetric(const Tensor& x) { return mul(add(x, transpose(x, -2, -1)), 0.5); }

/// The gradient of a sum in which every element counts in its own way; that of several results
/// adds up.
inline Tensor weighted_gradient_of_all(
    const std::function<std::vector<Tensor>(const Tensor&)>& function, const Tensor& x) {
  const Tensor leaf = x.clone().requires_grad_();
  Tensor total = zeros({}, {.dtype = x.dtype()});
  for (const Tensor& result : function(leaf)) {
    const Tensor flat = reshape(result, {-1});
    total = add(total, sum(mul(flat, add(arange(flat.size(), {.dtype = flat.dtype()}), 1))));
  }
  total.backward();
  return leaf.grad();
}

}  // namespace switchyard
