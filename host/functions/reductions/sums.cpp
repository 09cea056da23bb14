// Sums and means, and what broadcasting undone comes to.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/indexing/index_tensor.hpp"
#include "functions/reductions/reduced.hpp"
#include "functions/reductions/sum_to.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kReduceSum("ReduceSum"), kReduceMean("ReduceMean");

/// Integers are summed as int64. An element that an expanded dimension shows many times is
/// converted once, and its sum multiplied.
Tensor sum_of_integers(const Tensor& x, const Dims& axes, bool keepdim) {
  Tensor once = x;
  std::uint64_t times = 1;
  for (const std::int64_t axis : axes) {
    if (x.dim() == 0 || x.strides()[static_cast<std::size_t>(axis)] != 0) continue;
    if (x.size(axis) <= 1) continue;
    once = narrow(once, axis, 0, 1);
    times *= static_cast<std::uint64_t>(x.size(axis));
  }
  const Tensor total = reduced(kReduceSum, as_dtype(once, DType::int64), axes, keepdim);
  return times == 1 ? total : mul(total, static_cast<std::int64_t>(times));
}

}  // namespace

Tensor sum(const Tensor& x) {
  const CalledFunction here;
  return sum(x, Dims{});
}
Tensor sum(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  const Dims axes = reduced_dims("sum", x, dims);
  if (is_floating(x.dtype())) return reduced(kReduceSum, x, axes, keepdim);
  return sum_of_integers(x, axes, keepdim);
}

Tensor mean(const Tensor& x) {
  const CalledFunction here;
  return mean(x, Dims{});
}
Tensor mean(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  require_floating("mean", x);
  return reduced(kReduceMean, x, reduced_dims("mean", x, dims), keepdim);
}

Tensor sum_to(const Tensor& x, const Dims& shape) {
  if (x.shape() == shape) return x;
  if (broadcast_shapes("sum_to", x.shape(), shape) != x.shape()) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[sum_to] shape {} does not broadcast to the {} that "
                            "is to be summed",
                            describe(shape), describe(x.shape())));
  }
  const std::size_t added = x.shape().size() - shape.size();
  Dims axes;
  for (std::size_t d = 0; d < x.shape().size(); ++d) {
    if (d < added || (shape[d - added] == 1 && x.shape()[d] != 1)) {
      axes.push_back(static_cast<std::int64_t>(d));
    }
  }
  return reshape(axes.empty() ? x : sum(x, axes, true), shape);
}

}  // namespace switchyard
