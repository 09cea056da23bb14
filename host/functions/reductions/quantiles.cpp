// Medians and quantiles: elements by their place in the order of all.
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/creation/new_tensor.hpp"
#include "functions/reductions/reduced.hpp"

namespace switchyard {
namespace {

enum class Nans { count, are_left_out };

/// How many elements along a dimension are numbers; NaNs come behind them in order.
Tensor numbers_along(const Tensor& x, std::int64_t dim) {
  return sum(logical_not(isnan(x)), {dim}, true);
}

/// The place of the median along a dimension: with NaNs that of the first one.
Tensor median_position(const Tensor& x, std::int64_t dim, Nans nans) {
  const Tensor numbers = numbers_along(x, dim);
  if (nans == Nans::are_left_out) return clamp(floor_divide(sub(numbers, 1), 2), 0);
  const std::int64_t count = x.size(dim);
  return where(eq(numbers, count), (count - 1) / 2, numbers);
}

ValuesAndIndices median_along(std::string_view function, const Tensor& x, std::int64_t dim,
                              bool keepdim, Nans nans) {
  const std::int64_t at = nonempty_dims(function, x, {dim})[0];
  if (x.dim() == 0) return median_along(function, reshape(x, {1}), 0, false, nans);
  const Tensor position = median_position(x.detach(), at, nans);
  const Tensor indices = gather(argsort(x.detach(), at), at, position);
  const Tensor values = gather(x, at, indices);
  if (keepdim) return {values, indices};
  return {squeeze(values, at), squeeze(indices, at)};
}

/// Shared by the elements that equal it, as max() does among those alone.
Tensor median_of_all(std::string_view function, const Tensor& x, Nans nans) {
  nonempty_dims(function, x, {});
  const Tensor line = reshape(x, {-1});
  const Tensor median = median_along(function, line.detach(), 0, false, nans).values;
  if (!is_grad_enabled() || !x.requires_grad()) return median;
  const Mask equal = logical_or(eq(line, median), logical_and(isnan(line), isnan(median)));
  return max(masked_select(line, equal));
}

/// The shares as elements of `dtype`, in rank 1; a number beside `x`.
Tensor checked_shares(std::string_view function, const Tensor& x, const Tensor& q, DType dtype) {
  require_rank(function, q, 0, 1);
  if (q.dtype() == DType::bool_) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[{}] q is a truth value; it takes numbers from 0 to 1", function));
  }
  const std::vector<double> given = as_dtype(q.detach(), DType::float64).to_vector<double>();
  for (const double share : given) require_within(function, "q", share, 0, 1);
  return reshape(beside(x, q, dtype), {-1});
}

/// The weight of the element above a place that lies between two.
Tensor weight_above(const Tensor& position, QuantileInterpolation interpolation) {
  switch (interpolation) {
    case QuantileInterpolation::linear: return sub(position, floor(position.detach()));
    case QuantileInterpolation::midpoint: return full_like(position.detach(), 0.5);
    default: return {};
  }
}

Tensor whole_position(const Tensor& position, QuantileInterpolation interpolation) {
  const Tensor at = position.detach();
  return as_dtype(interpolation == QuantileInterpolation::higher    ? ceil(at)
                  : interpolation == QuantileInterpolation::nearest ? round(at)
                                                                    : floor(at),
                  DType::int64);
}

/// The elements at such places of the last dimension, which is in order.
Tensor elements_at(const Tensor& ordered, const Tensor& position,
                   QuantileInterpolation interpolation) {
  const Tensor below = gather(ordered, -1, whole_position(position, interpolation));
  const Tensor weight = weight_above(position, interpolation);
  if (!weight.defined()) return below;
  const Tensor above = gather(ordered, -1, as_dtype(ceil(position.detach()), DType::int64));
  return as_dtype(lerp(below, above, weight), ordered.dtype());
}

/// Of the last dimension, with one entry for each share in its stead.
Tensor quantiles_of(const Tensor& x, const Tensor& shares, Nans nans,
                    QuantileInterpolation interpolation) {
  const Tensor numbers = as_dtype(numbers_along(x.detach(), -1), shares.dtype());
  const auto count = static_cast<double>(x.size(-1));
  Tensor position = mul(shares, clamp(sub(numbers, 1), 0));
  if (nans == Nans::count) position = where(lt(numbers, count), count - 1, position);
  return elements_at(sort(x, -1).values, position, interpolation);
}

Tensor quantile_along(std::string_view function, const Tensor& x, const Tensor& q,
                      std::optional<std::int64_t> dim, bool keepdim, Nans nans,
                      QuantileInterpolation interpolation) {
  require_floating(function, x);
  const Tensor shares = checked_shares(function, x, q, wide_type(x.dtype()));
  const Dims over = nonempty_dims(function, x, dim ? Dims{*dim} : Dims{});
  const bool is_flat = !dim || x.dim() == 0;
  const Tensor lines = is_flat ? reshape(x, {-1}) : movedim(x, over[0], -1);
  const Tensor found = movedim(quantiles_of(lines, shares, nans, interpolation), -1, 0);
  Dims shape = found.shape();
  if (q.dim() == 0) shape.erase(0);
  if (!keepdim) return reshape(found, shape);
  if (is_flat) {
    for (std::int64_t d = 0; d < x.dim(); ++d) shape.push_back(1);
  } else {
    shape.insert(static_cast<std::size_t>(over[0] + q.dim()), 1);
  }
  return reshape(found, shape);
}

}  // namespace

Tensor median(const Tensor& x) {
  const CalledFunction here;
  return median_of_all("median", x, Nans::count);
}
ValuesAndIndices median(const Tensor& x, Dim dim, Flag keepdim) {
  const CalledFunction here;
  return median_along("median", x, dim, keepdim, Nans::count);
}
Tensor nanmedian(const Tensor& x) {
  const CalledFunction here;
  return median_of_all("nanmedian", x, Nans::are_left_out);
}
ValuesAndIndices nanmedian(const Tensor& x, Dim dim, Flag keepdim) {
  const CalledFunction here;
  return median_along("nanmedian", x, dim, keepdim, Nans::are_left_out);
}

Tensor quantile(const Tensor& x, const Tensor& q, std::optional<Dim> dim, Flag keepdim,
                QuantileInterpolation interpolation) {
  const CalledFunction here;
  return quantile_along("quantile", x, q, dim, keepdim, Nans::count, interpolation);
}
Tensor nanquantile(const Tensor& x, const Tensor& q, std::optional<Dim> dim, Flag keepdim,
                   QuantileInterpolation interpolation) {
  const CalledFunction here;
  return quantile_along("nanquantile", x, q, dim, keepdim, Nans::are_left_out, interpolation);
}

}  // namespace switchyard
