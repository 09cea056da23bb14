#pragma once

#include <optional>
#include <utility>

#include <switchyard/tensor.hpp>

namespace switchyard {

// Over all dimensions, also where `dims` names none, or over `dims`, which go, or stay as 1 with
// `keepdim`. Integers and bools sum as int64; means and the like are of floating-point types.
SWITCHYARD_API Tensor sum(const Tensor& x);
SWITCHYARD_API Tensor sum(const Tensor& x, const Dims& dims, bool keepdim = false);
SWITCHYARD_API Tensor mean(const Tensor& x);
SWITCHYARD_API Tensor mean(const Tensor& x, const Dims& dims, bool keepdim = false);
SWITCHYARD_API Tensor prod(const Tensor& x);
SWITCHYARD_API Tensor prod(const Tensor& x, std::int64_t dim, bool keepdim = false);
/// The sum of squares from the mean over n - correction.
SWITCHYARD_API Tensor var(const Tensor& x, const Dims& dims = {}, double correction = 1,
                          bool keepdim = false);
/// Beside `using namespace switchyard` write x.std(): `std` alone may mean the standard library.
SWITCHYARD_API Tensor std(const Tensor& x, const Dims& dims = {}, double correction = 1,
                          bool keepdim = false);
SWITCHYARD_API Tensor logsumexp(const Tensor& x, const Dims& dims, bool keepdim = false);
/// (sum |x|^p)^(1/p); INFINITY is the largest absolute value.
SWITCHYARD_API Tensor norm(const Tensor& x, double p = 2);
SWITCHYARD_API Tensor norm(const Tensor& x, double p, const Dims& dims, bool keepdim = false);

/// NaN if there is one. amax and amin share the gradient among equal elements.
SWITCHYARD_API Tensor amax(const Tensor& x, const Dims& dims = {}, bool keepdim = false);
SWITCHYARD_API Tensor amin(const Tensor& x, const Dims& dims = {}, bool keepdim = false);
struct ValuesAndIndices {
  Tensor values, indices;
};
SWITCHYARD_API Tensor max(const Tensor& x);
SWITCHYARD_API Tensor min(const Tensor& x);
SWITCHYARD_API ValuesAndIndices max(const Tensor& x, std::int64_t dim, bool keepdim = false);
SWITCHYARD_API ValuesAndIndices min(const Tensor& x, std::int64_t dim, bool keepdim = false);
/// The first of equal elements, as int64; over all elements in row-major order without `dim`.
SWITCHYARD_API Tensor argmax(const Tensor& x, std::optional<std::int64_t> dim = {},
                             bool keepdim = false);
SWITCHYARD_API Tensor argmin(const Tensor& x, std::optional<std::int64_t> dim = {},
                             bool keepdim = false);
SWITCHYARD_API Mask any(const Tensor& x);
SWITCHYARD_API Mask any(const Tensor& x, std::int64_t dim, bool keepdim = false);
SWITCHYARD_API Mask all(const Tensor& x);
SWITCHYARD_API Mask all(const Tensor& x, std::int64_t dim, bool keepdim = false);
SWITCHYARD_API Tensor count_nonzero(const Tensor& x);
SWITCHYARD_API Tensor cumsum(const Tensor& x, std::int64_t dim);

}  // namespace switchyard
