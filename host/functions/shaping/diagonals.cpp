// Matrices with given diagonals.
#include <algorithm>
#include <cmath>
#include <limits>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/require.hpp"

namespace switchyard {
namespace {

constexpr double kLongestSide = (std::int64_t{1} << 31) - 1;  // of a matrix larger than memories

/// With the last two dimensions at `dim1` and `dim2` instead.
Tensor with_matrices_at(const Tensor& x, std::int64_t dim1, std::int64_t dim2) {
  Dims order;
  std::int64_t next = 0;
  for (std::int64_t d = 0; d < x.dim(); ++d) {
    order.push_back(d == dim1 ? x.dim() - 2 : d == dim2 ? x.dim() - 1 : next++);
  }
  return permute(x, order);
}

/// Such matrices in the last two dimensions. Row by row, an element of the diagonal comes one
/// element more than the length of a row behind the one before it: so the vector as a column, with
/// that many zeros beside it, has all elements in their order, but for the zeros at both ends.
Tensor matrices_of(const Tensor& x, std::int64_t offset) {
  const std::int64_t length = x.size(-1), side = length + std::abs(offset);
  const std::int64_t right = std::max<std::int64_t>(offset, 0), down = right - offset;
  const Tensor spaced = flatten(pad(unsqueeze(x, -1), {0, side}), -2, -1);
  const std::int64_t before = down * side + right;
  const Tensor whole = pad(spaced, {before, side * side - before - spaced.size(-1)});
  return unflatten(whole, -1, {side, side});
}

}  // namespace

Tensor diag_embed(const Tensor& x, Int offset, Dim dim1, Dim dim2) {
  const CalledFunction here;
  require_rank("diag_embed", x, 1, std::numeric_limits<std::int64_t>::max());
  const std::int64_t first = normalize_axis("diag_embed", dim1, x.dim() + 1);
  const std::int64_t second = normalize_axis("diag_embed", dim2, x.dim() + 1);
  if (first == second) {
    throw Error(ErrorKind::invalid_argument, "[diag_embed] a matrix has two different dimensions");
  }
  const double side = static_cast<double>(x.size(-1)) + std::abs(static_cast<double>(offset));
  require_within("diag_embed", "the side of the matrix", side, 0, kLongestSide);
  return with_matrices_at(matrices_of(x, offset), first, second);
}

Tensor diag(const Tensor& x, Int offset) {
  const CalledFunction here;
  require_rank("diag", x, 1, 2);
  return x.dim() == 1 ? diag_embed(x, offset) : diagonal(x, offset).clone();
}

}  // namespace switchyard
