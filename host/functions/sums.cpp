// Sums and means, and what broadcasting undone comes to.
#include <fmt/format.h>

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

Tensor summable(const Tensor& x) { return is_floating(x.dtype()) ? x : as_dtype(x, DType::int64); }

}  // namespace

Tensor sum(const Tensor& x) { return reduce_all(kReduceSum, summable(x)); }
Tensor sum(const Tensor& x, const Dims& dims, bool keepdim) {
  return reduce(kReduceSum, summable(x), wrapped("sum", dims, x.dim()), keepdim);
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
