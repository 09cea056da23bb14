// Products of matrices and convolutions, gathered in float.
#pragma once

#include "software/interpreter/value.hpp"

namespace mps::software::interpreter {

Value matrix_product(const Value& x, const Value& y, const seam::TensorType& type);
Value convolution(const Value& x, const Value& weights, const seam::Window& window,
                  const seam::TensorType& type);
Value transposed_convolution(const Value& x, const Value& weights, const seam::Window& window,
                             const seam::TensorType& type);
Value convolution_weight_gradient(const Value& x, const Value& gradient, const seam::Window& window,
                                  const seam::TensorType& type);

}  // namespace mps::software::interpreter
