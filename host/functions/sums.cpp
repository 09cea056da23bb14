// Sums and means, and what broadcasting undone comes to.
#include <fmt/format.h>

#include <numeric>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/call.hpp"
#include "functions/index_tensor.hpp"
#include "functions/numbers.hpp"
#include "functions/require.hpp"
#include "ops/describe.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kReduceSum("ReduceSum"), kReduceMean("ReduceMean");

Tensor reduce_all(const ContractOp& op, const Tensor& x) {
  return op({x}, attributes({{"keepdims", std::int64_t{0}}}));
}

Tensor reduce(const ContractOp& op, const Tensor& x, const Dims& axes, bool keepdim) {
  if (x.dim() == 0) return reduce_all(op, x);
  return op({x, int64s(axes)}, attributes({{"keepdims", std::int64_t{keepdim}},
                                           {"noop_with_empty_axes", std::int64_t{1}}}));
}

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
  const Tensor total = reduce(kReduceSum, as_dtype(once, DType::int64), axes, keepdim);
  return times == 1 ? total : mul(total, static_cast<std::int64_t>(times));
}

Dims all_dims(const Tensor& x) {
  Dims all(x.shape().size(), 0);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace

Tensor sum(const Tensor& x) {
  if (x && is_floating(x.dtype())) return reduce_all(kReduceSum, x);
  return sum_of_integers(x, all_dims(x), false);
}
Tensor sum(const Tensor& x, const Dims& dims, bool keepdim) {
  const Dims axes = wrapped("sum", dims, x.dim());
  if (is_floating(x.dtype())) return reduce(kReduceSum, x, axes, keepdim);
  return sum_of_integers(x, axes, keepdim);
}

Tensor mean(const Tensor& x) {
  require_floating("mean", x);
  return reduce_all(kReduceMean, x);
}
Tensor mean(const Tensor& x, const Dims& dims, bool keepdim) {
  require_floating("mean", x);
  return reduce(kReduceMean, x, wrapped("mean", dims, x.dim()), keepdim);
}

Tensor sum_to(const Tensor& x, const Dims& shape) {
  if (x.shape() == shape) return x;
  if (broadcast_shapes("sum_to", x.shape(), shape) != x.shape()) {
    throw Error(ErrorKind::usage, fmt::format("[sum_to] shape {} does not broadcast to the {} that "
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
