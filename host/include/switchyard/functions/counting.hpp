/// @file
/// Which elements there are, and how often. Results are new tensors on the device of `x`. Errors:
/// Error(invalid_argument) for a dimension that `x` does not have, and for a dtype that is refused.
#pragma once

#include <optional>

#include <switchyard/number.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The elements, or along a dimension the slices, that differ from each other; for each of `x`
/// which of them it is, and how many there are of each, both as int64. No tensors where the options
/// do not ask for them.
struct UniqueElements {
  Tensor values;   ///< of the dtype of `x`
  Tensor inverse;  ///< of the shape of `x`, or of rank 1 along a dimension: values[inverse] is x
  Tensor counts;   ///< of rank 1
};
/// What unique() is to find, and to give beside the elements.
struct UniqueOptions {
  std::optional<Dim> dim = {};  ///< else over all elements, as rank 1
  bool return_counts = false;   ///< fills in `counts`
  bool return_inverse = false;  ///< fills in `inverse`
  bool sorted = true;           ///< else in the order in which they come first
};
/// The elements, or slices, that differ from each other. Waits for `x`. Any numeric dtype, and
/// bools, kept. NaNs count as equal, and as the largest. Gradient: to the first of equal elements.
[[nodiscard]] SWITCHYARD_API UniqueElements unique(const Tensor& x,
                                                   const UniqueOptions& options = {});
/// What unique_consecutive() is to find, and to give beside the elements.
struct UniqueConsecutiveOptions {
  std::optional<Dim> dim = {};  ///< else over all elements, as rank 1
  bool return_counts = false;   ///< fills in `counts`
  bool return_inverse = false;  ///< fills in `inverse`
};
/// The first one of each run of equal ones. Waits for `x`. Any numeric dtype, and bools, kept. NaNs
/// differ from each other. Gradient: to the elements that are given.
[[nodiscard]] SWITCHYARD_API UniqueElements
unique_consecutive(const Tensor& x, const UniqueConsecutiveOptions& options = {});

/// Whether each of `elements` is one of `test_elements`, or is none, with `invert`: of the shape of
/// `elements`. The dtypes promote; NaN equals nothing. No gradient.
[[nodiscard]] SWITCHYARD_API Mask isin(const Tensor& elements, const Tensor& test_elements,
                                       Flag invert = false);

/// How often 0, 1, 2, ... come among integers of rank 1, as int64; or the sum of `weights`, of the
/// shape of `x`, for each: float32 for such weights, else float64. Up to the largest element, or to
/// minlength - 1 where that is more. Waits for `x`. Gradient: to the weights. Error(shape_mismatch)
/// for another rank; Error(invalid_argument) for elements that are negative or no integers, for
/// weights of another shape, and for a negative `minlength`.
[[nodiscard]] SWITCHYARD_API Tensor bincount(const Tensor& x, const Tensor& weights = {},
                                             Int minlength = 0);
/// How many elements lie in each of `bins` ranges of one width between `min` and `max`, where the
/// last one has its upper end, in the dtype of `x`, which is a floating-point one. Elements beyond,
/// and NaNs, do not count. If both bounds are equal, they are those of the elements; if these are
/// equal too, one less and one more. Waits for `x` then. There is no gradient.
/// Error(invalid_argument) for no bins, and for bounds that are out of order or infinite.
[[nodiscard]] SWITCHYARD_API Tensor histc(const Tensor& x, Int bins = 100, Real min = 0,
                                          Real max = 0);

}  // namespace switchyard
