/// @file
/// Order among elements, in which NaN is the largest. Results are new tensors on the device of the
/// tensor given. Errors: Error(invalid_argument) for a dimension that the tensor does not have.
#pragma once

#include <switchyard/functions/reduction.hpp>
#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The k largest (smallest) elements of a dimension and their indices as int64, in that order; of
/// equal ones the first. Any numeric dtype, and bools, kept. Gradient: to the elements chosen.
/// Error(invalid_argument) for a `k` below 0 or beyond the extent.
[[nodiscard]] SWITCHYARD_API ValuesAndIndices topk(const Tensor& x, Int k, Dim dim = -1,
                                                   Flag largest = true);
/// All elements of a dimension in ascending (descending) order, and the indices that they had, as
/// int64; argsort() gives these alone. Equal ones keep their order. Any numeric dtype, and bools,
/// kept. Gradient: to the elements, by their indices.
/// @{
[[nodiscard]] SWITCHYARD_API ValuesAndIndices sort(const Tensor& x, Dim dim = -1,
                                                   Flag descending = false);
[[nodiscard]] SWITCHYARD_API Tensor argsort(const Tensor& x, Dim dim = -1, Flag descending = false);
/// @}

/// How searchsorted() searches.
struct SearchSortedOptions {
  bool out_int32 = false;  ///< indices as int32, else int64
  bool right = false;      ///< behind elements that equal the value, else before them
  Tensor sorter = {};      ///< what argsort() gave of the sequence, where that is not in order
};
/// Where each value would stand in a sequence of ascending order: before those that equal it, or
/// with `right` behind them. Of a sequence of rank 1, values of any shape; else the last dimension
/// is searched, and all others are equal. The dtypes promote. NaN counts as the largest. No
/// gradient. Error(shape_mismatch) for a sequence of rank 0; Error(invalid_argument) for values or
/// a sorter of another shape.
[[nodiscard]] SWITCHYARD_API Tensor searchsorted(const Tensor& sorted_sequence,
                                                 const Tensor& values,
                                                 const SearchSortedOptions& options = {});
/// How bucketize() searches.
struct BucketizeOptions {
  bool out_int32 = false;  ///< indices as int32, else int64
  bool right = false;      ///< behind boundaries that equal the element, else before them
};
/// searchsorted() of elements of any shape among `boundaries` of rank 1: its dtypes; no gradient.
/// Error(shape_mismatch) for another rank.
[[nodiscard]] SWITCHYARD_API Tensor bucketize(const Tensor& x, const Tensor& boundaries,
                                              const BucketizeOptions& options = {});

}  // namespace switchyard
