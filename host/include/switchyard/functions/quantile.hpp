/// @file
/// Elements by their place in the order of all. Results are new tensors on the device of `x`.
/// Errors: Error(shape_mismatch) for nothing to choose from, Error(invalid_argument) for a
/// dimension that `x` does not have.
#pragma once

#include <optional>

#include <switchyard/functions/reduction.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The element in the middle, of two the lower one, in the dtype of `x`: any numeric one, or bool.
/// NaN where there is one. Gradient: shared by equal elements.
[[nodiscard]] SWITCHYARD_API Tensor median(const Tensor& x);
/// The same along a dimension, which goes, or stays as 1 with `keepdim`, and its index as int64: of
/// equal elements any. The dtype stays. Gradient: to the element at the index.
[[nodiscard]] SWITCHYARD_API ValuesAndIndices median(const Tensor& x, Dim dim,
                                                     Flag keepdim = false);
/// The same among the elements that are not NaN; NaN where all are. Dtypes and gradients are those
/// of median().
/// @{
[[nodiscard]] SWITCHYARD_API Tensor nanmedian(const Tensor& x);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices nanmedian(const Tensor& x, Dim dim,
                                                        Flag keepdim = false);
/// @}

/// What counts where a quantile lies between two elements: both by their distance, either, both
/// alike, or the nearest one (of two equally near ones the one with the even place, from 0 on).
enum class QuantileInterpolation { linear, lower, higher, midpoint, nearest };
/// The element that the share `q` of the others, from 0 to 1, lies below: in order from 0 to n - 1
/// it has place q (n - 1). `q` is a number, or a tensor of rank 1, which makes a new dimension in
/// front. Along `dim`, which goes, or stays as 1 with `keepdim`; without it, over all elements. `x`
/// has a floating-point dtype, and so has the result. NaN where there is one. `linear` and
/// `midpoint` compute with the difference of two elements: of an infinity they may give NaN, also
/// where it has its place alone, as in PyTorch; the others give it. Waits for `q`, to check it.
/// Gradient: to the elements chosen, by their weights, and to `q` where these depend on it.
/// Error(invalid_argument) for a share outside of [0, 1].
[[nodiscard]] SWITCHYARD_API Tensor
quantile(const Tensor& x, const Tensor& q, std::optional<Dim> dim = {}, Flag keepdim = false,
         QuantileInterpolation interpolation = QuantileInterpolation::linear);
/// The same among the elements that are not NaN; NaN where all are. Dtypes and gradients are those
/// of quantile().
[[nodiscard]] SWITCHYARD_API Tensor
nanquantile(const Tensor& x, const Tensor& q, std::optional<Dim> dim = {}, Flag keepdim = false,
            QuantileInterpolation interpolation = QuantileInterpolation::linear);

}  // namespace switchyard
