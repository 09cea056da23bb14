// Products of tensors of any rank, and of batches that are added to.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"
#include "functions/calls/require.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

/// The dimensions of a factor that are summed over, and those that are left; their extents.
struct Contracted {
  Contracted(const Tensor& x, const Dims& dims)
      : summed(dims.empty() ? dims : normalize_axes("tensordot", dims, x.dim())) {
    for (std::int64_t d = 0; d < x.dim(); ++d) {
      if (std::find(summed.begin(), summed.end(), d) == summed.end()) kept.push_back(d);
    }
    for (const std::int64_t d : summed) sums.push_back(x.size(d));
    for (const std::int64_t d : kept) extents.push_back(x.size(d));
  }
  std::int64_t sum_count() const { return element_count(sums); }
  std::int64_t kept_count() const { return element_count(extents); }

  Dims summed, kept, sums, extents;
};

Dims joined(const Dims& first, const Dims& second) {
  Dims both = first;
  for (const std::int64_t entry : second) both.push_back(entry);
  return both;
}

/// `count` dimensions from `first` on.
Dims successive(std::int64_t first, std::int64_t count) {
  Dims dims = Dims::filled(static_cast<std::size_t>(count), 0);
  std::iota(dims.begin(), dims.end(), first);
  return dims;
}

/// Extents and ones in turn, beginning with either; a lower rank has ones in front.
Dims spread_extents(const Tensor& x, std::size_t rank, bool ones_first) {
  Dims shape = Dims::filled(2 * rank, 1);
  const std::size_t added = rank - x.shape().size();
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    shape[2 * (added + d) + (ones_first ? 1 : 0)] = x.shape()[d];
  }
  return shape;
}

}  // namespace

Tensor baddbmm(const Tensor& input, const Tensor& a, const Tensor& b, Real beta, Real alpha) {
  const CalledFunction here;
  require_rank("baddbmm", a, 3, 3);
  require_rank("baddbmm", b, 3, 3);
  if (a.size(0) != b.size(0) || a.size(2) != b.size(1)) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[baddbmm] batches {} and {} do not go together: they must be [batch, "
                            "rows, inner] and [batch, inner, columns]",
                            describe(a.shape()), describe(b.shape())));
  }
  const Dims shape{a.size(0), a.size(1), b.size(2)};
  if (broadcast_shapes("baddbmm", input.shape(), shape) != shape) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[baddbmm] the input {} does not broadcast to the product's shape {}",
                            describe(input.shape()), describe(shape)));
  }
  const DType dtype = promote(input.dtype(), result_type(a, b));
  const Tensor product = scaled(matmul(as_dtype(a, dtype), as_dtype(b, dtype)), alpha);
  return beta == 0 ? product : add(scaled(as_dtype(input, dtype), beta), product);
}

Tensor tensordot(const Tensor& a, const Tensor& b, const Dims& dims_a, const Dims& dims_b) {
  const CalledFunction here;
  const Contracted left(a, dims_a), right(b, dims_b);
  if (left.sums != right.sums) {
    throw Error(
        ErrorKind::shape_mismatch,
        fmt::format("[tensordot] dimensions {} of {} and {} of {} are not of the same "
                    "extents",
                    listed(dims_a), describe(a.shape()), listed(dims_b), describe(b.shape())));
  }
  const Tensor rows =
      reshape(permute(a, joined(left.kept, left.summed)), {left.kept_count(), left.sum_count()});
  const Tensor columns = reshape(permute(b, joined(right.summed, right.kept)),
                                 {right.sum_count(), right.kept_count()});
  return reshape(matmul(rows, columns), joined(left.extents, right.extents));
}

Tensor tensordot(const Tensor& a, const Tensor& b, Int dims) {
  const CalledFunction here;
  if (dims < 0 || dims > std::min(a.dim(), b.dim())) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[tensordot] cannot sum over {} dimensions of {} and {}", dims,
                            describe(a.shape()), describe(b.shape())));
  }
  return tensordot(a, b, successive(a.dim() - dims, dims), successive(0, dims));
}

Tensor kron(const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const std::size_t rank = std::max(a.shape().size(), b.shape().size());
  const Tensor products =
      mul(reshape(a, spread_extents(a, rank, false)), reshape(b, spread_extents(b, rank, true)));
  Dims shape;
  for (std::size_t d = 0; d < rank; ++d) {
    shape.push_back(products.shape()[2 * d] * products.shape()[2 * d + 1]);
  }
  return reshape(products, shape);
}

Tensor Tensor::trace() const {
  const CalledFunction here;
  require_rank("trace", *this, 2, 2);
  return switchyard::sum(diagonal(*this));
}

}  // namespace switchyard
