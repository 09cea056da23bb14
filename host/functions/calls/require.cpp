#include "functions/calls/require.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <switchyard/error.hpp>

#include "functions/calls/numbers.hpp"
#include "types/describe.hpp"

namespace switchyard {

std::string listed(const Dims& numbers) {
  return fmt::format("[{}]", fmt::join(numbers.span(), ", "));
}

std::int64_t normalize_axis(std::string_view function, std::int64_t dim, std::int64_t rank) {
  const std::int64_t most = std::max<std::int64_t>(rank, 1);
  if (dim >= -most && dim < most) return dim < 0 ? dim + most : dim;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] dimension {} lies outside [{}, {}] of a tensor of rank {}",
                          function, dim, -most, most - 1, rank));
}

std::int64_t extent(const Tensor& x, std::int64_t dim) {
  return x.dim() == 0 ? 1 : x.shape()[static_cast<std::size_t>(dim)];
}

Dims normalize_axes(std::string_view function, const Dims& dims, std::int64_t rank) {
  Dims result = dims;
  for (std::int64_t& dim : result) dim = normalize_axis(function, dim, rank);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (std::count(result.begin(), result.end(), result[i]) > 1) {
      throw Error(ErrorKind::invalid_argument, fmt::format("[{}] dimension {} is named twice in {}",
                                                           function, result[i], listed(dims)));
    }
  }
  return result;
}

void require_rank(std::string_view function, const Tensor& x, std::int64_t least,
                  std::int64_t most) {
  if (x.defined() && x.dim() >= least && x.dim() <= most) return;
  const ErrorKind kind = x.defined() ? ErrorKind::shape_mismatch : ErrorKind::invalid_argument;
  std::string ranks = std::to_string(least);
  if (most >= 64) {
    ranks += " or more";
  } else if (most > least) {
    ranks += fmt::format(" to {}", most);
  }
  throw Error(kind, fmt::format("[{}] needs a tensor of rank {}, got {}", function, ranks,
                                x.defined() ? "shape " + describe(x.shape()) : "none"));
}

void require_within(std::string_view function, std::string_view option, double value, double least,
                    double most) {
  if (value >= least && value <= most) return;
  throw Error(ErrorKind::invalid_argument, fmt::format("[{}] {} is {}; it must lie in [{}, {}]",
                                                       function, option, value, least, most));
}

std::int64_t require_at_least(std::string_view function, std::string_view what, std::int64_t number,
                              std::int64_t least) {
  if (number >= least) return number;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] {} is {}; it must be at least {}", function, what, number, least));
}

std::int64_t whole_within(std::string_view function, std::string_view what, double value,
                          std::int64_t least, std::int64_t most) {
  const double whole = std::floor(value);
  require_within(function, what, whole, static_cast<double>(least), static_cast<double>(most));
  return static_cast<std::int64_t>(whole);
}

void require_floating(std::string_view function, const Tensor& x) {
  if (x.defined() && is_floating(x.dtype())) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] needs a floating-point tensor, got {}; convert it with to()",
                          function, x.defined() ? name_of(x.dtype()) : "none"));
}

}  // namespace switchyard
