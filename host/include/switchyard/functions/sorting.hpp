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

}  // namespace switchyard
