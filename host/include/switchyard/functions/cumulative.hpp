#pragma once

#include <cstdint>

#include <switchyard/functions/reduction.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

// Along dimension `dim`, over the elements up to each, that one included: the result has the shape
// of `x`. A tensor of rank 0 counts as one element of dimension 0. cumsum() is in
// <switchyard/functions/reduction.hpp>.

/// The product; integers and bools multiply as int64.
[[nodiscard]] SWITCHYARD_API Tensor cumprod(const Tensor& x, std::int64_t dim);
/// The largest (smallest) element, of the dtype of `x`, and its index as int64. It is NaN from the
/// first NaN on; of equal elements, and of NaNs, the last counts. The gradient goes to the elements
/// at the indices.
[[nodiscard]] SWITCHYARD_API ValuesAndIndices cummax(const Tensor& x, std::int64_t dim);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices cummin(const Tensor& x, std::int64_t dim);
/// The logarithm of the sum of exponentials, also where these would overflow. Integers become
/// float32. The derivatives are finite, also where elements are -infinity.
[[nodiscard]] SWITCHYARD_API Tensor logcumsumexp(const Tensor& x, std::int64_t dim);

/// Each element less the one before it, and that `n` times over, so that `n` elements fewer are
/// left; of bools, whether the two differ. `prepend` and `append`, where they are tensors, come
/// before and behind `x` first: of the rank of `x`, and of its extents but for `dim`; the types
/// promote. Rank 0 is an error.
[[nodiscard]] SWITCHYARD_API Tensor diff(const Tensor& x, std::int64_t n = 1, std::int64_t dim = -1,
                                         const Tensor& prepend = {}, const Tensor& append = {});

}  // namespace switchyard
