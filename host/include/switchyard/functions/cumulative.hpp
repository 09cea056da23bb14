/// @file
/// Functions along dimension `dim` over the elements up to each, that one included: the result is a
/// new tensor of the shape of `x`, on its device. A tensor of rank 0 counts as one element of
/// dimension 0. Errors: Error(invalid_argument) for a dimension that `x` does not have. cumsum() is
/// in <switchyard/functions/reduction.hpp>.
#pragma once

#include <switchyard/functions/reduction.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The product; integers and bools multiply as int64. Gradient: to each element, also where there
/// are zeros.
[[nodiscard]] SWITCHYARD_API Tensor cumprod(const Tensor& x, Dim dim);
/// The largest (smallest) element, of the dtype of `x`, and its index as int64. It is NaN from the
/// first NaN on; of equal elements, and of NaNs, the last counts. The gradient goes to the elements
/// at the indices.
/// @{
[[nodiscard]] SWITCHYARD_API ValuesAndIndices cummax(const Tensor& x, Dim dim);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices cummin(const Tensor& x, Dim dim);
/// @}
/// The logarithm of the sum of exponentials, also where these would overflow. Integers become
/// float32. Gradient: to each element; it is finite, also where elements are -infinity.
[[nodiscard]] SWITCHYARD_API Tensor logcumsumexp(const Tensor& x, Dim dim);

/// Each element less the one before it, and that `n` times over, so that `n` elements fewer are
/// left; of bools, whether the two differ. `prepend` and `append`, where they are tensors, come
/// before and behind `x` first: of the rank of `x`, and of its extents but for `dim`; the dtypes
/// promote. Gradient: to `x` and to both, but for bools. Error(shape_mismatch) for rank 0 and for
/// parts that do not fit, Error(invalid_argument) for a negative `n`.
[[nodiscard]] SWITCHYARD_API Tensor diff(const Tensor& x, Int n = 1, Dim dim = -1,
                                         const Tensor& prepend = {}, const Tensor& append = {});

}  // namespace switchyard
