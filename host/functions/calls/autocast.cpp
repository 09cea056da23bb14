#include "functions/calls/autocast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "functions/calls/call.hpp"

namespace switchyard {

namespace {

bool is_converted(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16 || dtype == DType::bfloat16;
}

constinit const EagerOp kAutocastCast("Cast");

TensorRef cast(const TensorRef& tensor, DType dtype) {
  return TensorRef(
      kAutocastCast({Tensor(tensor.get())}, attributes({{"to", static_cast<std::int64_t>(dtype)}}))
          .impl());
}

bool is_weight(TensorImpl& tensor) {
  const Variable* variable = variable_of(tensor);
  return variable && variable->requires_grad && !variable->made_by && !variable->base;
}

TensorRef cast_weight(AutocastState& scope, const TensorRef& weight, DType dtype) {
  const std::uint32_t version = weight->storage ? weight->storage->version() : 0;
  std::erase_if(scope.weights, [&](const auto& kept) {
    return kept.original.get() == weight.get() && kept.version != version;
  });
  for (const auto& kept : scope.weights) {
    if (kept.original.get() == weight.get() && kept.dtype == dtype &&
        kept.recorded == grad_mode()) {
      return kept.result;
    }
  }
  scope.weights.push_back({weight, version, grad_mode(), dtype, cast(weight, dtype)});
  return scope.weights.back().result;
}

}  // namespace

bool chooses_dtype(const Op& op) { return op.row->autocast != AutocastTo::as_given; }

void convert_inputs(AutocastState& scope, const Op& op, std::span<TensorRef> inputs) {
  if (!chooses_dtype(op)) return;
  const bool is_lowered = op.row->autocast == AutocastTo::low_precision;
  const DType dtype = is_lowered ? scope.dtype : DType::float32;
  for (TensorRef& input : inputs) {
    if (!input || input->dtype == dtype || !is_converted(input->dtype)) continue;
    input = is_weight(*input) ? cast_weight(scope, input, dtype) : cast(input, dtype);
  }
}

Autocast::Autocast(DType dtype, Flag enabled) : state_(nullptr), before_(thread_context.autocast) {
  if (enabled && dtype != DType::float16 && dtype != DType::bfloat16) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("Autocast takes float16 or bfloat16, not {}", name_of(dtype)));
  }
  if (enabled) state_ = new AutocastState{dtype};
  thread_context.autocast = state_;
}

Autocast::~Autocast() {
  thread_context.autocast = before_;
  delete state_;
}

std::optional<DType> autocast_dtype() {
  if (!thread_context.autocast) return {};
  return thread_context.autocast->dtype;
}

}  // namespace switchyard
