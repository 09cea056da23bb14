// Many elements become one: products, truths, logarithms of sums; and sums on the way.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/reductions/reduced.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kReduceProd("ReduceProd"), kAnyMax("ReduceMax"), kAllMin("ReduceMin"),
    kReduceLogSumExp("ReduceLogSumExp"), kCumSum("CumSum");

/// Bools over `dims`; where there is nothing to look at, `nothing`, as no op says what that gives.
Mask truth(const EagerOp& op, const Tensor& x, const Dims& dims, bool keepdim, bool nothing) {
  const Tensor bools = as_dtype(x, DType::bool_);
  if (x.size() > 0) return Mask(reduced(op, bools, dims, keepdim));
  Dims shape;
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    const bool goes =
        std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) != dims.end();
    if (!goes) shape.push_back(x.shape()[d]);
    if (goes && keepdim) shape.push_back(1);
  }
  return Mask(x.new_full(shape, nothing, {.dtype = DType::bool_}));
}

}  // namespace

Dims reduced_dims(std::string_view function, const Tensor& x, const Dims& dims) {
  if (!dims.empty()) return normalize_axes(function, dims, x.dim());
  Dims all = Dims::filled(x.shape().size(), 0);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

Dims nonempty_dims(std::string_view function, const Tensor& x, const Dims& dims) {
  const Dims result = reduced_dims(function, x, dims);
  for (const std::int64_t dim : result) {
    if (x.dim() == 0 || x.shape()[static_cast<std::size_t>(dim)] > 0) continue;
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[{}] dimension {} of shape {} is empty: there is nothing to choose from",
                    function, dim, describe(x.shape())));
  }
  return result;
}

Tensor reduced(const EagerOp& op, const Tensor& x, const Dims& dims, bool keepdim) {
  Attributes given = attributes({{"keepdims", std::int64_t{keepdim}}});
  if (static_cast<std::int64_t>(dims.size()) >= x.dim()) return op({x}, std::move(given));
  return op({x, int64s(dims)}, std::move(given));
}

Tensor as_summable(const Tensor& x) {
  return is_floating(x.dtype()) ? x : as_dtype(x, DType::int64);
}

Tensor prod(const Tensor& x) {
  const CalledFunction here;
  return reduced(kReduceProd, as_summable(x), reduced_dims("prod", x, {}), false);
}
Tensor prod(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return reduced(kReduceProd, as_summable(x), reduced_dims("prod", x, dims), keepdim);
}

Tensor logsumexp(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return reduced(kReduceLogSumExp, as_floating(x), reduced_dims("logsumexp", x, dims), keepdim);
}

Tensor any(const Tensor& x) {
  const CalledFunction here;
  return truth(kAnyMax, x, reduced_dims("any", x, {}), false, false);
}
Mask any(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return truth(kAnyMax, x, reduced_dims("any", x, dims), keepdim, false);
}
Tensor all(const Tensor& x) {
  const CalledFunction here;
  return truth(kAllMin, x, reduced_dims("all", x, {}), false, true);
}
Mask all(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return truth(kAllMin, x, reduced_dims("all", x, dims), keepdim, true);
}

Tensor count_nonzero(const Tensor& x) {
  const CalledFunction here;
  return sum(as_dtype(x, DType::bool_));
}

Tensor cumsum(const Tensor& x, Dim dim) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("cumsum", dim, x.dim());
  const Tensor summable = as_summable(x);
  if (x.dim() == 0) return reshape(cumsum(reshape(summable, {1}), 0), {});
  return kCumSum({summable, int64_scalar(at)});
}

}  // namespace switchyard
