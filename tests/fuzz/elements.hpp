#pragma once

#include <switchyard/tensor.hpp>

#include "dice.hpp"

namespace switchyard::fuzz {

/// A host tensor of small numbers, among them now and then those at the edges of what a type holds.
Tensor random_tensor(DType dtype, const Dims& shape, Dice& dice);

/// Whether two tensors are of one type and shape and hold the same bits, but for
/// the bits of a NaN and the sign of a zero.
bool are_identical(const Tensor& a, const Tensor& b);

}  // namespace switchyard::fuzz
