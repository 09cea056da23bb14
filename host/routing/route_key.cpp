#include "routing/route_key.hpp"

#include <switchyard/plugin.h>

#include <cstring>

namespace switchyard {
namespace {

bool same_literal(const Literal& kept, const Literal* given) {
  if (!given) return kept.dtype() == DType::undefined;
  return kept.dtype() != DType::undefined && same_bytes(kept, *given);
}

/// A copy of the bytes: a literal may share those of an array that its owner goes on to change.
Literal own_copy(const Literal& literal) {
  Literal copy(literal.dtype(), literal.shape());
  if (literal.size_bytes() > 0) {
    std::memcpy(copy.mutable_bytes(), literal.bytes(), literal.size_bytes());
  }
  return copy;
}

}  // namespace

RouteKey::RouteKey(const RouteRequest& request)
    : op(request.site.op),
      attributes(request.site.attributes),
      math_flags(request.site.math_flags),
      purpose(request.site.purpose),
      placement(request.site.placement),
      wanted_outputs(request.wanted_outputs) {
  inputs.reserve(request.inputs.size());
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const TensorDescriptor& input = request.inputs[i];
    const bool keep_value = op->is_host_input(i) && input.literal;
    inputs.push_back({input.dtype, input.shape, input.strides, input.constant_id,
                      keep_value ? own_copy(*input.literal) : Literal(), input.contiguous(),
                      input.may_be_immediate});
  }
}

bool RouteKey::same_call(const RouteRequest& request) const {
  return op == request.site.op && math_flags == request.site.math_flags &&
         purpose == request.site.purpose && placement == request.site.placement &&
         wanted_outputs == request.wanted_outputs && inputs.size() == request.inputs.size() &&
         attributes == request.site.attributes;
}

bool RouteKey::matches(const RouteRequest& request) const {
  if (!same_call(request)) return false;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& kept = inputs[i];
    const TensorDescriptor& given = request.inputs[i];
    if (kept.dtype != given.dtype || kept.constant_id != given.constant_id ||
        !(kept.shape == given.shape) || !(kept.strides == given.strides) ||
        kept.may_be_immediate != given.may_be_immediate) {
      return false;
    }
    if (op->is_host_input(i) && !same_literal(kept.literal, given.literal)) return false;
  }
  return true;
}

bool RouteKey::matches(const RouteRequest& request,
                       const std::vector<std::uint8_t>& specialised_on) const {
  if (!same_call(request)) return false;
  std::size_t position = 0;  // among the program's inputs
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Input& kept = inputs[i];
    const TensorDescriptor& given = request.inputs[i];
    if (kept.dtype != given.dtype || kept.constant_id != given.constant_id ||
        kept.shape.size() != given.shape.size() ||
        kept.may_be_immediate != given.may_be_immediate) {
      return false;
    }
    if (!given.present()) continue;
    const std::uint8_t on = specialised_on[position++];
    if ((on & SY_ON_SHAPE) && !(kept.shape == given.shape)) return false;
    if ((on & SY_ON_STRIDES) && !(kept.strides == given.strides)) return false;
    if ((on & SY_ON_DATA) && op->is_host_input(i) && !same_literal(kept.literal, given.literal)) {
      return false;
    }
  }
  return true;
}

}  // namespace switchyard
