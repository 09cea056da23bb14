// Norms of vectors and of matrices.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard::linalg {
namespace {

/// The two dimensions of each matrix, counted from the first.
Dims matrix_dims(std::string_view function, const Tensor& x, const Dims& dims) {
  if (dims.size() == 2 && x.dim() >= 2) return normalize_axes(function, dims, x.dim());
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] needs two dimensions of matrices; got {} of {}", function,
                          listed(dims), describe(x.shape())));
}

/// The tensor with those dimensions behind all others.
Tensor with_matrices_last(const Tensor& x, const Dims& dims) {
  Dims order;
  for (std::int64_t dim = 0; dim < x.dim(); ++dim) {
    if (dim != dims[0] && dim != dims[1]) order.push_back(dim);
  }
  order.push_back(dims[0]);
  order.push_back(dims[1]);
  return permute(x, order);
}

/// The two dimensions that went, as 1.
Tensor with_dims(const Tensor& norms, const Dims& dims, bool keepdim) {
  if (!keepdim) return norms;
  return unsqueeze(unsqueeze(norms, std::min(dims[0], dims[1])), std::max(dims[0], dims[1]));
}

/// The largest or least sum along the other dimension.
Tensor extreme_sum(const Tensor& x, std::int64_t dim, bool largest) {
  const Tensor sums = sum(abs(x), {dim});
  return largest ? amax(sums, {-1}) : amin(sums, {-1});
}

Tensor norm_of_last(const Tensor& x, double order) {
  const double size = std::abs(order);
  if (size == 1) return extreme_sum(x, -2, order > 0);
  if (std::isinf(order)) return extreme_sum(x, -1, order > 0);
  if (size == 2) return order > 0 ? amax(svdvals(x), {-1}) : amin(svdvals(x), {-1});
  throw Error(
      ErrorKind::invalid_argument,
      fmt::format("[matrix_norm] order {} is none of 1, -1, 2, -2, infinity and -infinity", order));
}

/// What `norm` of an order runs over where no dimension is named.
Dims all_dims(const Tensor& x, const Dims& dims) {
  if (!dims.empty()) return dims;
  Dims all = x.shape();
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

Tensor vector_norm(const Tensor& x, Real order, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  require_floating("vector_norm", x);
  return switchyard::norm(x, order, dims, keepdim);
}

Tensor matrix_norm(const Tensor& x, MatrixNorm order, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  require_floating("matrix_norm", x);
  const Dims over = matrix_dims("matrix_norm", x, dims);
  if (order == MatrixNorm::frobenius) return vector_norm(x, 2, over, keepdim);
  return with_dims(sum(svdvals(with_matrices_last(x, over)), {-1}), over, keepdim);
}

Tensor matrix_norm(const Tensor& x, Real order, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  require_floating("matrix_norm", x);
  const Dims over = matrix_dims("matrix_norm", x, dims);
  return with_dims(norm_of_last(with_matrices_last(x, over), order), over, keepdim);
}

Tensor norm(const Tensor& x, std::optional<Real> order, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  if (!order) return vector_norm(x, 2, dims, keepdim);
  const Dims over = all_dims(x, dims);
  if (over.size() == 1) return vector_norm(x, *order, over, keepdim);
  return matrix_norm(x, *order, over, keepdim);
}

Tensor norm(const Tensor& x, MatrixNorm order, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return matrix_norm(x, order, all_dims(x, dims), keepdim);
}

}  // namespace switchyard::linalg
