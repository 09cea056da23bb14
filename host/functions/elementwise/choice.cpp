// Choosing among elements.
#include <cmath>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/promotion.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kWhere("Where"), kClip("Clip");

bool must_record(const Tensor& x, const Tensor& low, const Tensor& high) {
  return is_grad_enabled() && (x.requires_grad() || (low.defined() && low.requires_grad()) ||
                               (high.defined() && high.requires_grad()));
}

/// The same values, of which each comes from the one that has its gradient, as in PyTorch: x within
/// its bounds, else the bound that it is beyond, if the bounds are in order; a NaN from none.
Tensor with_sources(const Tensor& clamped, const Tensor& x, const Tensor& low, const Tensor& high) {
  Tensor source = clamped.detach(), inside;
  if (low.defined()) {
    const Mask above = ge(x, low);
    const Mask below = high.defined() ? logical_and(lt(x, low), lt(low, high)) : lt(x, low);
    source = where(below, low, source);
    inside = above;
  }
  if (high.defined()) {
    const Mask within = le(x, high);
    const Mask beyond = low.defined() ? logical_or(gt(x, high), lt(high, low)) : gt(x, high);
    source = where(beyond, high, source);
    inside = low.defined() ? Tensor(logical_and(inside, within)) : Tensor(within);
  }
  return where(inside, x, source);
}

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const CalledFunction here;
  const Pair pair = promoted(a, b);
  return kWhere({as_dtype(condition, DType::bool_), pair.a, pair.b});
}

Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high) {
  const CalledFunction here;
  if (!low.defined() && !high.defined()) {
    throw Error(ErrorKind::invalid_argument,
                "[clamp] needs a bound: give it the lowest or the highest value");
  }
  // The op ignores bounds that are NaN; here all becomes NaN.
  const auto is_plain = [](const Tensor& bound) {
    return !bound.defined() || (is_number(bound) && !std::isnan(number_value(bound)));
  };
  const bool by_numbers = is_plain(low) && is_plain(high);
  DType dtype = x.dtype();
  if (low.defined()) dtype = result_type(as_dtype(x, dtype), low);
  if (high.defined()) dtype = promote(dtype, result_type(x, high));
  const Tensor value = as_dtype(x, dtype);
  const Tensor least = low.defined() ? as_bound("clamp", low, dtype) : Tensor();
  const Tensor most = high.defined() ? as_bound("clamp", high, dtype) : Tensor();
  if (by_numbers) return kClip({value, least, most});
  const Tensor raised = low.defined() ? maximum(value, least) : value;
  const Tensor clamped = high.defined() ? minimum(raised, most) : raised;
  return must_record(value, least, most) ? with_sources(clamped, value, least, most) : clamped;
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  const CalledFunction here;
  return where(mask, as_element("masked_fill", value, x.dtype()), x);
}

}  // namespace switchyard
