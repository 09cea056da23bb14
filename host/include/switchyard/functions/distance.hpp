#pragma once

#include <cstdint>

#include <switchyard/real.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

/// x over its norm of order p along `dim`, or over eps where that is larger.
[[nodiscard]] SWITCHYARD_API Tensor normalize(const Tensor& x, double p = 2, std::int64_t dim = 1,
                                              double eps = 1e-12);
/// The cosine of the angle between vectors along `dim`, which goes; norms are at least `eps`.
[[nodiscard]] SWITCHYARD_API Tensor cosine_similarity(const Tensor& a, const Tensor& b,
                                                      std::int64_t dim = 1, double eps = 1e-8);
/// The norm of a - b + eps along the last dimension.
[[nodiscard]] SWITCHYARD_API Tensor pairwise_distance(const Tensor& a, const Tensor& b, Real p = 2,
                                                      Real eps = 1e-6, bool keepdim = false);
/// The norm of order p >= 0 of the difference of each row of `a` [..., n, size] from each of `b`
/// [..., m, size], as [..., n, m]; what comes before broadcasts. Integers are an error. The
/// derivatives at rows that are equal are 0. Takes the memory of all differences.
[[nodiscard]] SWITCHYARD_API Tensor cdist(const Tensor& a, const Tensor& b, Real p = 2);

}  // namespace switchyard
