/// @file
/// How far vectors lie apart. Floating-point dtypes alone, which promote; results are new tensors
/// on the device of the tensors given. Errors: Error(shape_mismatch) for shapes that do not
/// broadcast, Error(invalid_argument) for other dtypes and for a dimension that is not there.
#pragma once

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// x over its norm of order p along `dim`, or over eps where that is larger: in the shape and the
/// floating-point dtype of `x`. Gradient: to `x`.
[[nodiscard]] SWITCHYARD_API Tensor normalize(const Tensor& x, Real p = 2, Dim dim = 1,
                                              Real eps = 1e-12);
/// The cosine of the angle between vectors along `dim` of the broadcast shape, which goes; norms
/// are at least `eps`. Floating-point dtypes, which promote. Gradient: to both.
/// Error(shape_mismatch) for vectors of different lengths: an extent of 1 in `dim` does not
/// broadcast.
[[nodiscard]] SWITCHYARD_API Tensor cosine_similarity(const Tensor& a, const Tensor& b, Dim dim = 1,
                                                      Real eps = 1e-8);
/// (sum |a - b + eps|^p)^(1/p) over the last dimension, which goes, or stays as 1 with `keepdim`: a
/// [..., D] and b [..., D] broadcast. `a` has a floating-point dtype, with which that of `b`
/// promotes. Gradient: to both.
[[nodiscard]] SWITCHYARD_API Tensor pairwise_distance(const Tensor& a, const Tensor& b, Real p = 2,
                                                      Real eps = 1e-6, Flag keepdim = false);
/// The norm of order p >= 0 of the difference of each row of `a` [..., n, size] from each of `b`
/// [..., m, size], as [..., n, m]; what comes before broadcasts. Floating-point dtypes, which
/// promote. Gradient: to both; the derivatives at rows that are equal are 0. Takes the memory of
/// all differences. Error(shape_mismatch) for rows of different lengths, Error(invalid_argument)
/// for a negative `p`.
[[nodiscard]] SWITCHYARD_API Tensor cdist(const Tensor& a, const Tensor& b, Real p = 2);

}  // namespace switchyard
