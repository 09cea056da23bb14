#pragma once

#include <cstdint>
#include <optional>

#include <switchyard/real.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

// Which elements there are, and how often.

/// The elements, or along a dimension the slices, that differ from each other; for each of `x`
/// which of them it is, and how many there are of each, both as int64. No tensors where the options
/// do not ask for them.
struct UniqueElements {
  Tensor values;
  Tensor inverse;  // of the shape of `x`, or of rank 1 along a dimension: values[inverse] is x
  Tensor counts;   // of rank 1
};
struct UniqueOptions {
  std::optional<std::int64_t> dim = {};  // else over all elements, as rank 1
  bool return_counts = false;
  bool return_inverse = false;
  bool sorted = true;  // else in the order in which they come first
};
/// Waits for `x`. NaNs count as equal, and as the largest. The gradient goes to the first of equal
/// elements.
[[nodiscard]] SWITCHYARD_API UniqueElements unique(const Tensor& x,
                                                   const UniqueOptions& options = {});
struct UniqueConsecutiveOptions {
  std::optional<std::int64_t> dim = {};  // else over all elements, as rank 1
  bool return_counts = false;
  bool return_inverse = false;
};
/// The first one of each run of equal ones. Waits for `x`. NaNs differ from each other.
[[nodiscard]] SWITCHYARD_API UniqueElements
unique_consecutive(const Tensor& x, const UniqueConsecutiveOptions& options = {});

/// Whether each of `elements` is one of `test_elements`, or is none, with `invert`: of the shape of
/// `elements`. The types promote; NaN equals nothing.
[[nodiscard]] SWITCHYARD_API Mask isin(const Tensor& elements, const Tensor& test_elements,
                                       bool invert = false);

/// How often 0, 1, 2, ... come among integers of rank 1 that are not negative, as int64; or the sum
/// of `weights`, of the shape of `x`, for each: float32 for such weights, else float64. Up to the
/// largest element, or to minlength - 1 where that is more. Waits for `x`. Weights have gradients.
[[nodiscard]] SWITCHYARD_API Tensor bincount(const Tensor& x, const Tensor& weights = {},
                                             std::int64_t minlength = 0);
/// How many elements lie in each of `bins` ranges of one width between `min` and `max`, where the
/// last one has its upper end, in the type of `x`, which is a floating-point one. Elements beyond,
/// and NaNs, do not count. If both bounds are equal, they are those of the elements; if these are
/// equal too, one less and one more. Waits for `x` then. There is no gradient.
[[nodiscard]] SWITCHYARD_API Tensor histc(const Tensor& x, std::int64_t bins = 100, Real min = 0,
                                          Real max = 0);

}  // namespace switchyard
