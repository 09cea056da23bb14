#pragma once

#include <string_view>

#include <switchyard/tensor.hpp>

namespace switchyard {

/// The tensor with float32 in place of integers and bools. Throws Error naming the function unless
/// it is a matrix or a stack of them.
Tensor as_matrices(std::string_view function, const Tensor& x);
/// The same for square ones.
Tensor as_square_matrices(std::string_view function, const Tensor& x);

/// Each matrix turned about its diagonal: a view.
Tensor turned(const Tensor& matrices);

/// Whether `b` holds right-hand sides that are vectors, as PyTorch tells them from matrices: rank
/// 1, or a vector for each matrix of `a`.
bool are_vectors(const Tensor& a, const Tensor& b);

}  // namespace switchyard
