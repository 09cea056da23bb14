#pragma once

#include <switchyard/tensor.hpp>

namespace switchyard {

/// Sums over the dimensions that broadcasting added, so that `shape` is left: what gradients of
/// operands that were broadcast are. Throws Error(shape_mismatch) where `shape` does not broadcast
/// to that of `x`.
Tensor sum_to(const Tensor& x, const Dims& shape);

}  // namespace switchyard
