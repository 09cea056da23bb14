// Activations, element by element and along a dimension.
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "error/called_function.hpp"
#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "functions/calls/require.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kRelu("Relu"), kSigmoid("Sigmoid"), kSoftmax("Softmax"),
    kLogSoftmax("LogSoftmax"), kLeakyRelu("LeakyRelu"), kElu("Elu"), kSelu("Selu"), kGelu("Gelu"),
    kMish("Mish"), kSoftplus("Softplus"), kSoftsign("Softsign"), kHardSigmoid("HardSigmoid"),
    kHardSwish("HardSwish"), kPRelu("PRelu");

Tensor along(const EagerOp& op, std::string_view name, const Tensor& x, std::int64_t dim) {
  require_floating(name, x);
  const std::int64_t axis = normalize_axis(name, dim, x.dim());
  if (x.dim() == 0) return squeeze(op({unsqueeze(x, 0)}, attributes({{"axis", axis}})));
  return op({x}, attributes({{"axis", axis}}));
}

Tensor with_alpha(const EagerOp& op, const Tensor& x, double alpha) {
  return op({x}, attributes({{"alpha", static_cast<float>(alpha)}}));
}

/// The derivative at the bounds is 0, where that of clamp is 1.
Tensor saturated(const Tensor& x, double low, double high) {
  const Tensor flat = clamp(x.detach(), low, high);
  if (!is_grad_enabled() || !x.requires_grad()) return flat;
  return where(logical_or(le(x, low), ge(x, high)), flat, x);
}

/// min(max(x + 3, 0), 6) / 6, whose sixth float64 has more digits of than an attribute.
Tensor wide_gate(const Tensor& x) { return div(saturated(add(x, 3), 0, 6), 6); }

}  // namespace

Tensor relu(const Tensor& x) {
  const CalledFunction here;
  return kRelu(x);
}
Tensor sigmoid(const Tensor& x) {
  const CalledFunction here;
  return kSigmoid(as_floating(x));
}
Tensor softmax(const Tensor& x, Dim dim) {
  const CalledFunction here;
  return along(kSoftmax, "softmax", x, dim);
}
Tensor log_softmax(const Tensor& x, Dim dim) {
  const CalledFunction here;
  return along(kLogSoftmax, "log_softmax", x, dim);
}

Tensor relu6(const Tensor& x) {
  const CalledFunction here;
  return saturated(x, 0, 6);
}
Tensor hardtanh(const Tensor& x, Real low, Real high) {
  const CalledFunction here;
  return saturated(x, double{low}, double{high});
}

Tensor leaky_relu(const Tensor& x, Real negative_slope) {
  const CalledFunction here;
  require_floating("leaky_relu", x);
  if (fits_attribute(x.dtype(), negative_slope)) return with_alpha(kLeakyRelu, x, negative_slope);
  return where(gt(x, 0), x, mul(x, double{negative_slope}));
}

Tensor elu(const Tensor& x, Real alpha) {
  const CalledFunction here;
  require_floating("elu", x);
  if (fits_attribute(x.dtype(), alpha)) return with_alpha(kElu, x, alpha);
  return where(gt(x, 0), x, mul(expm1(clamp(x, {}, 0)), double{alpha}));
}

Tensor selu(const Tensor& x) {
  const CalledFunction here;
  require_floating("selu", x);
  if (x.dtype() != DType::float64) return kSelu(x);
  return mul(elu(x, 1.6732632423543772848), 1.0507009873554804934);
}

Tensor gelu(const Tensor& x, GeluApproximation approximation) {
  const CalledFunction here;
  require_floating("gelu", x);
  const std::string name = approximation == GeluApproximation::tanh ? "tanh" : "none";
  return kGelu({x}, attributes({{"approximate", name}}));
}

Tensor silu(const Tensor& x) {
  const CalledFunction here;
  return mul(x, sigmoid(x));
}

Tensor mish(const Tensor& x) {
  const CalledFunction here;
  require_floating("mish", x);
  return kMish(x);
}

Tensor softplus(const Tensor& x) {
  const CalledFunction here;
  require_floating("softplus", x);
  return kSoftplus(x);
}

Tensor softsign(const Tensor& x) {
  const CalledFunction here;
  return kSoftsign(as_floating(x));
}

Tensor logsigmoid(const Tensor& x) {
  const CalledFunction here;
  return neg(softplus(neg(x)));
}

Tensor hardsigmoid(const Tensor& x) {
  const CalledFunction here;
  require_floating("hardsigmoid", x);
  if (x.dtype() == DType::float64) return wide_gate(x);
  return kHardSigmoid({x}, attributes({{"alpha", 1.0F / 6}, {"beta", 0.5F}}));
}

Tensor hardswish(const Tensor& x) {
  const CalledFunction here;
  require_floating("hardswish", x);
  return x.dtype() == DType::float64 ? mul(x, wide_gate(x)) : kHardSwish(x);
}

Tensor glu(const Tensor& x, Dim dim) {
  const CalledFunction here;
  require_floating("glu", x);
  require_rank("glu", x, 1, 64);
  const std::int64_t at = normalize_axis("glu", dim, x.dim());
  if (x.size(at) % 2 != 0) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[glu] dimension {} of an input {} has no halves: its extent is odd",
                            at, describe(x.shape())));
  }
  const std::int64_t half = x.size(at) / 2;
  return mul(narrow(x, at, 0, half), sigmoid(narrow(x, at, half, half)));
}

Tensor prelu(const Tensor& x, const Tensor& weight) {
  const CalledFunction here;
  require_floating("prelu", x);
  require_rank("prelu", weight, 0, 1);
  const std::int64_t channels = x.dim() > 1 ? x.shape()[1] : 1;
  if (weight.size() == 1) return kPRelu(x, reshape(weight, {}));
  if (weight.size() != channels) {
    throw Error(ErrorKind::shape_mismatch,
                fmt::format("[prelu] takes one slope or one for each of {} channels, got {} for {}",
                            channels, weight.size(), describe(x.shape())));
  }
  Dims shape = Dims::filled(x.shape().size() - 1, 1);
  shape[0] = channels;
  return kPRelu(x, reshape(weight, shape));
}

}  // namespace switchyard
