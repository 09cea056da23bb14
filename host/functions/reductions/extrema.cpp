// The largest and the smallest elements, and where they are.
#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "functions/reductions/reduced.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kReduceMax("ReduceMax"), kReduceMin("ReduceMin"), kArgMax("ArgMax"),
    kArgMin("ArgMin");

Tensor extremum(std::string_view function, const EagerOp& op, const Tensor& x, const Dims& dims,
                bool keepdim) {
  return reduced(op, x, nonempty_dims(function, x, dims), keepdim);
}

/// An extremum of all elements that is NaN has its gradient from the NaNs, where amax has it from
/// all.
Tensor of_holders(const Tensor& x, const Tensor& extremum) {
  if (!is_grad_enabled() || !x.requires_grad()) return extremum;
  const Mask nans = isnan(x.detach());
  const Tensor of_nans = div(sum(where(nans, x, 0)), maximum(sum(nans), 1));
  return where(isnan(extremum.detach()), of_nans, extremum);
}

/// The op finds positions along one dimension of numbers.
Tensor position_along(const EagerOp& op, const Tensor& x, std::int64_t dim, bool keepdim) {
  const Tensor numbers = x.dtype() == DType::bool_ ? as_dtype(x, DType::uint8) : x;
  return op({numbers}, attributes({{"axis", dim}, {"keepdims", std::int64_t{keepdim}}}));
}

Tensor position_of(std::string_view function, const EagerOp& op, const Tensor& x,
                   std::optional<std::int64_t> dim, bool keepdim) {
  if (dim && x.dim() > 0) {
    return position_along(op, x, nonempty_dims(function, x, {*dim})[0], keepdim);
  }
  if (dim) normalize_axis(function, *dim, 0);
  nonempty_dims(function, x, {});
  const Tensor position = position_along(op, reshape(x, {-1}), 0, false);
  return keepdim ? reshape(position, Dims::filled(x.shape().size(), 1)) : position;
}

/// The gradient goes to the one element that is taken.
ValuesAndIndices taken(const Tensor& x, const Tensor& indices, std::int64_t dim, bool keepdim) {
  const Tensor values = gather(x, dim, indices);
  if (keepdim) return {values, indices};
  return {squeeze(values, dim), squeeze(indices, dim)};
}

}  // namespace

Tensor amax(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return extremum("amax", kReduceMax, x, dims, keepdim);
}
Tensor amin(const Tensor& x, const Dims& dims, Flag keepdim) {
  const CalledFunction here;
  return extremum("amin", kReduceMin, x, dims, keepdim);
}
Tensor max(const Tensor& x) {
  const CalledFunction here;
  return of_holders(x, extremum("max", kReduceMax, x, {}, false));
}
Tensor min(const Tensor& x) {
  const CalledFunction here;
  return of_holders(x, extremum("min", kReduceMin, x, {}, false));
}

ValuesAndIndices max(const Tensor& x, std::int64_t dim, Flag keepdim) {
  const CalledFunction here;
  return taken(x, position_of("max", kArgMax, x, dim, true), dim, keepdim);
}
ValuesAndIndices min(const Tensor& x, std::int64_t dim, Flag keepdim) {
  const CalledFunction here;
  return taken(x, position_of("min", kArgMin, x, dim, true), dim, keepdim);
}

Tensor argmax(const Tensor& x, std::optional<Dim> dim, Flag keepdim) {
  const CalledFunction here;
  return position_of("argmax", kArgMax, x, dim, keepdim);
}
Tensor argmin(const Tensor& x, std::optional<Dim> dim, Flag keepdim) {
  const CalledFunction here;
  return position_of("argmin", kArgMin, x, dim, keepdim);
}

}  // namespace switchyard
