#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include <switchyard/real.hpp>
#include <switchyard/tensor.hpp>

namespace switchyard {

// Over all dimensions, also where `dims` names none, or over `dims`, which go, or stay as 1 with
// `keepdim`. Integers and bools sum as int64; means and the like are of floating-point types.
[[nodiscard]] SWITCHYARD_API Tensor sum(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor sum(const Tensor& x, const Dims& dims, bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor mean(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor mean(const Tensor& x, const Dims& dims, bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor prod(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor prod(const Tensor& x, const Dims& dims, bool keepdim = false);
/// The sum of squares from the mean over n - correction.
[[nodiscard]] SWITCHYARD_API Tensor var(const Tensor& x, const Dims& dims = {}, Real correction = 1,
                                        bool keepdim = false);
/// Beside `using namespace switchyard` write x.std(): `std` alone may mean the standard library.
[[nodiscard]] SWITCHYARD_API Tensor std(const Tensor& x, const Dims& dims = {}, Real correction = 1,
                                        bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor logsumexp(const Tensor& x, const Dims& dims,
                                              bool keepdim = false);
/// (sum |x|^p)^(1/p); INFINITY is the largest absolute value.
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, Real p = 2);
[[nodiscard]] SWITCHYARD_API Tensor norm(const Tensor& x, Real p, const Dims& dims,
                                         bool keepdim = false);

/// NaN if there is one. amax and amin share the gradient among equal elements.
[[nodiscard]] SWITCHYARD_API Tensor amax(const Tensor& x, const Dims& dims = {},
                                         bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor amin(const Tensor& x, const Dims& dims = {},
                                         bool keepdim = false);
struct ValuesAndIndices {
  Tensor values, indices;
};
[[nodiscard]] SWITCHYARD_API Tensor max(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor min(const Tensor& x);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices max(const Tensor& x, std::int64_t dim,
                                                  bool keepdim = false);
[[nodiscard]] SWITCHYARD_API ValuesAndIndices min(const Tensor& x, std::int64_t dim,
                                                  bool keepdim = false);
/// maximum() and minimum() of two tensors.
[[nodiscard]] SWITCHYARD_API Tensor max(const Tensor& a, const Tensor& b);
[[nodiscard]] SWITCHYARD_API Tensor min(const Tensor& a, const Tensor& b);
/// Of two C++ numbers: std::max and std::min.
template <Number A, Number B>
[[nodiscard]] Tensor max(A a, B b) = delete;
template <Number A, Number B>
[[nodiscard]] Tensor min(A a, B b) = delete;
/// With a number that is no dimension: maximum() and minimum().
template <std::floating_point B>
[[nodiscard]] Tensor max(const Tensor& x, B b) = delete;
template <std::floating_point B>
[[nodiscard]] Tensor min(const Tensor& x, B b) = delete;
/// The first of equal elements, as int64; over all elements in row-major order without `dim`.
[[nodiscard]] SWITCHYARD_API Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim = {},
                                           bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor argmin(const Tensor& x, std::optional<std::int64_t> dim = {},
                                           bool keepdim = false);
/// Whether any, or each, element is not zero: one bool, which `if (all(a == b))` asks for.
[[nodiscard]] SWITCHYARD_API Tensor any(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor all(const Tensor& x);
/// The same along dimensions.
[[nodiscard]] SWITCHYARD_API Mask any(const Tensor& x, const Dims& dims, bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Mask all(const Tensor& x, const Dims& dims, bool keepdim = false);
[[nodiscard]] SWITCHYARD_API Tensor count_nonzero(const Tensor& x);
[[nodiscard]] SWITCHYARD_API Tensor cumsum(const Tensor& x, std::int64_t dim);

}  // namespace switchyard
