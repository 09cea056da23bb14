#pragma once

#include <switchyard/functions/reduction.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// The k largest (smallest) elements of a dimension and their indices, in that order; of equal ones
/// the first.
[[nodiscard]] SWITCHYARD_API ValuesAndIndices topk(const Tensor& x, std::int64_t k,
                                                   std::int64_t dim = -1, bool largest = true);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices sort(const Tensor& x, std::int64_t dim = -1,
                                                   bool descending = false);
[[nodiscard]] SWITCHYARD_API Tensor argsort(const Tensor& x, std::int64_t dim = -1,
                                            bool descending = false);

struct SearchSortedOptions {
  bool out_int32 = false;  // indices as int32, else int64
  bool right = false;
  Tensor sorter = {};  // what argsort() gave of the sequence, where that is not in order
};
/// Where each value would stand in a sequence of ascending order: before those that equal it, or
/// with `right` behind them. Of a sequence of rank 1, values of any shape; else the last dimension
/// is searched, and all others are equal. The types promote. NaN counts as the largest.
[[nodiscard]] SWITCHYARD_API Tensor searchsorted(const Tensor& sorted_sequence,
                                                 const Tensor& values,
                                                 const SearchSortedOptions& options = {});
struct BucketizeOptions {
  bool out_int32 = false;  // indices as int32, else int64
  bool right = false;
};
/// The same of elements of any shape among `boundaries` of rank 1.
[[nodiscard]] SWITCHYARD_API Tensor bucketize(const Tensor& x, const Tensor& boundaries,
                                              const BucketizeOptions& options = {});

}  // namespace switchyard
