// Order among elements.
#include <fmt/format.h>

#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kTopK("TopK");

ValuesAndIndices ordered(const Tensor& x, std::int64_t count, std::int64_t dim, bool largest) {
  if (x.dtype() == DType::bool_) {  // the op orders numbers
    const ValuesAndIndices found = ordered(as_dtype(x, DType::uint8), count, dim, largest);
    return {as_dtype(found.values, DType::bool_), found.indices};
  }
  if (x.dim() == 0) {
    const ValuesAndIndices found = ordered(reshape(x, {1}), count, 0, largest);
    if (count == 0) return found;
    return {reshape(found.values, {}), reshape(found.indices, {})};
  }
  const std::vector<Tensor> found = kTopK.outputs(
      2, {x, int64s(Dims{count})},
      attributes({{"axis", dim}, {"largest", std::int64_t{largest}}, {"sorted", std::int64_t{1}}}));
  return {found[0], found[1]};
}

}  // namespace

ValuesAndIndices topk(const Tensor& x, Int k, Dim dim, Flag largest) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("topk", dim, x.dim());
  if (k < 0 || k > extent(x, at)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[topk] k is {}, but dimension {} of shape {} has {} "
                            "elements",
                            k, dim, describe(x.shape()), extent(x, at)));
  }
  return ordered(x, k, at, largest);
}

ValuesAndIndices sort(const Tensor& x, Dim dim, Flag descending) {
  const CalledFunction here;
  const std::int64_t at = normalize_axis("sort", dim, x.dim());
  return ordered(x, extent(x, at), at, descending);
}

Tensor argsort(const Tensor& x, Dim dim, Flag descending) {
  const CalledFunction here;
  return sort(x, dim, descending).indices;
}

/// By two sorts in a row, the second stable: numbers of 24 bits alone would be equal too often.
Tensor randperm(Int n, const TensorOptions& options) {
  const CalledFunction here;
  require_at_least("randperm", "n", n, 0);
  const TensorOptions of_numbers{.device = options.device};
  const Tensor first = argsort(rand({n}, of_numbers));
  const Tensor order = index_select(first, 0, argsort(rand({n}, of_numbers)));
  const Tensor result = options.dtype ? as_dtype(order, *options.dtype) : order;
  return options.requires_grad ? result.requires_grad_() : result;
}

}  // namespace switchyard
