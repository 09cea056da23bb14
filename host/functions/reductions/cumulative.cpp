// Products, extrema and logarithms of sums on the way, and differences.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/options_like.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/reductions/reduced.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kCumProd("CumProd");

/// The elements of a dimension that have one `steps` before them, and those ones.
struct Neighbours {
  Neighbours(const Tensor& x, std::int64_t dim, std::int64_t steps)
      : first(narrow(x, dim, 0, steps)),
        before(narrow(x, dim, 0, x.size(dim) - steps)),
        here(narrow(x, dim, steps, x.size(dim) - steps)) {}
  Tensor first, before, here;
};

/// 0, 1, ... along the dimension, in the shape of `x`.
Tensor positions_along(const Tensor& x, std::int64_t dim) {
  Dims line = Dims::filled(x.shape().size(), 1);
  line[static_cast<std::size_t>(dim)] = x.size(dim);
  TensorOptions options = options_like(x);
  options.dtype = DType::int64;
  return expand(reshape(arange(x.size(dim), options), line), x.shape());
}

using Exceeds = Mask (*)(const Tensor&, const Tensor&);

/// Of 1, 2, 4, ... elements up to each, the one that stands first in the order: it stays where it
/// exceeds what comes later.
Tensor extremum_positions(Tensor values, std::int64_t dim, Exceeds exceeds) {
  Tensor positions = positions_along(values, dim);
  for (std::int64_t steps = 1; steps < values.size(dim); steps *= 2) {
    const Neighbours of_values(values, dim, steps), of_positions(positions, dim, steps);
    const Tensor &before = of_values.before, &here = of_values.here;
    Mask stays = exceeds(before, here);
    if (is_floating(values.dtype())) {
      stays = logical_or(stays, logical_and(isnan(before), logical_not(isnan(here))));
    }
    values = cat({of_values.first, where(stays, before, here)}, dim);
    positions =
        cat({of_positions.first, where(stays, of_positions.before, of_positions.here)}, dim);
  }
  return positions;
}

ValuesAndIndices running_extremum(std::string_view function, const Tensor& x, std::int64_t dim,
                                  Exceeds exceeds) {
  const std::int64_t at = normalize_axis(function, dim, x.dim());
  if (x.dim() == 0) {
    const ValuesAndIndices line = running_extremum(function, reshape(x, {1}), 0, exceeds);
    return {reshape(line.values, {}), reshape(line.indices, {})};
  }
  const Tensor indices = extremum_positions(x.detach(), at, exceeds);
  return {gather(x, at, indices), indices};
}

}  // namespace

Tensor cumprod(const Tensor& x, Dim dim) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("cumprod", dim, x.dim());
  const Tensor factors = as_summable(x);
  if (x.dim() == 0) return reshape(cumprod(reshape(factors, {1}), 0), {});
  return kCumProd({factors, int64_scalar(at)});
}

ValuesAndIndices cummax(const Tensor& x, Dim dim) {
  const CalledFunction here;
  return running_extremum("cummax", x, dim, gt);
}
ValuesAndIndices cummin(const Tensor& x, Dim dim) {
  const CalledFunction here;
  return running_extremum("cummin", x, dim, lt);
}

/// Of 1, 2, 4, ... elements up to each: no sum is far from its largest part, as it would be if the
/// largest element of all were taken off first.
Tensor logcumsumexp(const Tensor& x, Dim dim) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("logcumsumexp", dim, x.dim());
  const Tensor given = as_floating(x);
  if (x.dim() == 0) return reshape(logcumsumexp(reshape(given, {1}), 0), {});
  Tensor sums = as_dtype(given, wide_type(given.dtype()));
  for (std::int64_t steps = 1; steps < x.size(at); steps *= 2) {
    const Neighbours of(sums, at, steps);
    sums = cat({of.first, logaddexp(of.before, of.here)}, at);
  }
  return as_dtype(sums, given.dtype());
}

Tensor diff(const Tensor& x, Int n, Dim dim, const Tensor& prepend, const Tensor& append) {
  const CalledFunction here;
  require_rank("diff", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t at = normalize_axis("diff", dim, x.dim());
  require_at_least("diff", "n", n, 0);
  std::vector<Tensor> parts;
  for (const Tensor& part : {prepend, x, append}) {
    if (!part.defined()) continue;
    require_rank("diff", part, x.dim(), x.dim());
    parts.push_back(part);
  }
  Tensor rest = parts.size() == 1 ? x : cat(parts, at);
  for (std::int64_t left = std::min<std::int64_t>(n, rest.size(at)); left > 0; --left) {
    const Neighbours of(rest, at, 1);
    const bool bools = rest.dtype() == DType::bool_;
    rest = bools ? Tensor(logical_xor(of.here, of.before)) : sub(of.here, of.before);
  }
  return rest.impl() == x.impl() ? x.clone() : rest;
}

}  // namespace switchyard
