#pragma once

#include <string>
#include <switchyard/tensor.hpp>
#include <vector>

#include "dice.hpp"

namespace switchyard::fuzz {

/// A host tensor of small numbers, among them now and then those at the edges of what a type holds.
Tensor random_tensor(DType dtype, const Dims& shape, Dice& dice);

/// Whether two tensors are of one type and shape and hold the same bits, but for
/// the bits of a NaN and the sign of a zero.
bool are_identical(const Tensor& a, const Tensor& b);

/// Whether two tensors differ by no more than sums in another order may, which have terms about as
/// large as the largest of `inputs` or of the tensors themselves.
bool differ_by_rounding(const Tensor& a, const Tensor& b, const std::vector<Tensor>& inputs);

/// Where two tensors that are not identical differ first, for a person to read.
std::string difference(const Tensor& a, const Tensor& b);

}  // namespace switchyard::fuzz
