// Choosing among elements.
#include <cmath>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "functions/promotion.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kWhere("Where"), kClip("Clip");

}  // namespace

Tensor where(const Tensor& condition, const Tensor& a, const Tensor& b) {
  const Pair pair = promoted(a, b);
  return kWhere({as_dtype(condition, DType::bool_), pair.a, pair.b});
}

Tensor clamp(const Tensor& x, const Tensor& low, const Tensor& high) {
  if (!low && !high) {
    throw Error(ErrorKind::usage, "[clamp] needs a bound: give it the lowest or the highest value");
  }
  // The op ignores bounds that are NaN; here all becomes NaN.
  const auto is_plain = [](const Tensor& bound) {
    return !bound || (is_number(bound) && !std::isnan(number_value(bound)));
  };
  const bool by_numbers = is_plain(low) && is_plain(high);
  DType dtype = x.dtype();
  if (low) dtype = result_type(as_dtype(x, dtype), low);
  if (high) dtype = promote(dtype, result_type(x, high));
  const Tensor value = as_dtype(x, dtype);
  const Tensor least = low ? as_element("clamp", low, dtype) : Tensor();
  const Tensor most = high ? as_element("clamp", high, dtype) : Tensor();
  if (by_numbers) return kClip({value, least, most});
  const Tensor raised = low ? maximum(value, least) : value;
  return high ? minimum(raised, most) : raised;
}

Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  return where(mask, as_element("masked_fill", value, x.dtype()), x);
}

}  // namespace switchyard
