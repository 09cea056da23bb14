#include "functions/calls/autocast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <switchyard/error.hpp>
#include <vector>

#include "autograd/mode.hpp"
#include "autograd/variable.hpp"
#include "functions/calls/call.hpp"

namespace switchyard {

/// A scope, and the weights that it has converted.
struct Autocast::State {
  struct Converted {
    TensorRef original;
    std::uint32_t version;
    bool recorded;
    DType dtype;
    TensorRef result;
  };
  DType dtype;
  std::vector<Converted> weights = {};
};

namespace {

enum class Policy { as_they_come, lower, float32 };

struct PolicyRow {
  std::string_view op;
  Policy policy;
};

/// What each op bears; those not listed take their inputs as they come.
constexpr PolicyRow kPolicies[] = {
    {"Conv", Policy::lower},
    {"ConvTranspose", Policy::lower},
    {"Einsum", Policy::lower},
    {"Gemm", Policy::lower},
    {"MatMul", Policy::lower},
    {"Acos", Policy::float32},
    {"Acosh", Policy::float32},
    {"Asin", Policy::float32},
    {"BatchNormalization", Policy::float32},
    {"Cosh", Policy::float32},
    {"CumSum", Policy::float32},
    {"Erf", Policy::float32},
    {"Exp", Policy::float32},
    {"Exp2", Policy::float32},
    {"Expm1", Policy::float32},
    {"GroupNormalization", Policy::float32},
    {"InstanceNormalization", Policy::float32},
    {"LayerNormalization", Policy::float32},
    {"Log", Policy::float32},
    {"Log10", Policy::float32},
    {"Log1p", Policy::float32},
    {"Log2", Policy::float32},
    {"LogSoftmax", Policy::float32},
    {"LpNormalization", Policy::float32},
    {"NegativeLogLikelihoodLoss", Policy::float32},
    {"Pow", Policy::float32},
    {"Reciprocal", Policy::float32},
    {"ReduceL2", Policy::float32},
    {"ReduceLogSumExp", Policy::float32},
    {"ReduceMean", Policy::float32},
    {"ReduceProd", Policy::float32},
    {"ReduceSum", Policy::float32},
    {"ReduceSumSquare", Policy::float32},
    {"Rsqrt", Policy::float32},
    {"Sinh", Policy::float32},
    {"Softmax", Policy::float32},
    {"SoftmaxCrossEntropyLoss", Policy::float32},
    {"Softplus", Policy::float32},
    {"Tan", Policy::float32},
};

Policy policy_of(const Op& op) {
  static const auto& table = *new std::vector<Policy>([] {
    std::vector<Policy> policies(all_ops().size(), Policy::as_they_come);
    for (const PolicyRow& row : kPolicies) {
      if (const Op* known = find_op("", row.op)) policies[known->id] = row.policy;
    }
    return policies;
  }());
  return table[op.id];
}

bool is_converted(DType dtype) {
  return dtype == DType::float32 || dtype == DType::float16 || dtype == DType::bfloat16;
}

constinit const ContractOp kAutocastCast("Cast");

TensorRef cast(const TensorRef& tensor, DType dtype) {
  return TensorRef(
      kAutocastCast({Tensor(tensor.get())}, attributes({{"to", static_cast<std::int64_t>(dtype)}}))
          .impl());
}

bool is_weight(TensorImpl& tensor) {
  const Variable* variable = variable_of(tensor);
  return variable && variable->requires_grad && !variable->made_by && !variable->base;
}

TensorRef cast_weight(Autocast::State& scope, const TensorRef& weight, DType dtype) {
  const std::uint32_t version = weight->storage ? weight->storage->version() : 0;
  std::erase_if(scope.weights, [&](const auto& kept) {
    return kept.original.get() == weight.get() && kept.version != version;
  });
  for (const auto& kept : scope.weights) {
    if (kept.original.get() == weight.get() && kept.dtype == dtype && kept.recorded == grad_mode) {
      return kept.result;
    }
  }
  scope.weights.push_back({weight, version, grad_mode, dtype, cast(weight, dtype)});
  return scope.weights.back().result;
}

}  // namespace

bool chooses_dtype(const Op& op) { return policy_of(op) != Policy::as_they_come; }

void convert_inputs(Autocast::State& scope, const Op& op, std::span<TensorRef> inputs) {
  const Policy policy = policy_of(op);
  if (policy == Policy::as_they_come) return;
  const DType dtype = policy == Policy::lower ? scope.dtype : DType::float32;
  for (TensorRef& input : inputs) {
    if (!input || input->dtype == dtype || !is_converted(input->dtype)) continue;
    input = is_weight(*input) ? cast_weight(scope, input, dtype) : cast(input, dtype);
  }
}

Autocast::Autocast(DType dtype, bool enabled) : state_(nullptr), before_(autocast) {
  if (enabled && dtype != DType::float16 && dtype != DType::bfloat16) {
    throw Error(ErrorKind::usage,
                fmt::format("Autocast takes float16 or bfloat16, not {}", name_of(dtype)));
  }
  if (enabled) state_ = new State{dtype};
  autocast = state_;
}

Autocast::~Autocast() {
  autocast = before_;
  delete state_;
}

std::optional<DType> autocast_dtype() {
  if (!autocast) return {};
  return autocast->dtype;
}

}  // namespace switchyard
