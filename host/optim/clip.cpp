#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "tensor/tensor_impl.hpp"

namespace switchyard {
namespace {

std::vector<Tensor> gradients_of(std::span<const Tensor> parameters) {
  std::vector<Tensor> gradients;
  for (const Tensor& parameter : parameters) {
    const Tensor gradient = parameter.grad();
    if (gradient.defined()) gradients.push_back(gradient.detach());
  }
  return gradients;
}

/// The norms of single tensors, on the device and in the type of the first.
Tensor norms_of(const std::vector<Tensor>& gradients, double norm_type) {
  std::vector<Tensor> norms;
  for (const Tensor& gradient : gradients) {
    const Tensor one = norm(gradient, norm_type);
    const bool is_alike = norms.empty() || (one.impl()->device == norms[0].impl()->device &&
                                            one.dtype() == norms[0].dtype());
    norms.push_back(is_alike ? one : empty_like(norms[0]).copy_(one));
  }
  return stack(norms);
}

void require_limit(std::string_view function, std::string_view name, double limit) {
  if (limit >= 0) return;
  throw Error(ErrorKind::invalid_argument,
              fmt::format("[{}] {} is {}; it must be at least 0", function, name, limit));
}

}  // namespace

Tensor clip_grad_norm_(std::span<const Tensor> parameters, Real max_norm, Real norm_type) {
  require_limit("clip_grad_norm_", "max_norm", max_norm);
  const NoGrad no_grad;
  const std::vector<Tensor> gradients = gradients_of(parameters);
  if (gradients.empty()) return zeros({});
  const Tensor total = norm(norms_of(gradients, norm_type), norm_type);
  // As PyTorch has it; no value comes to the host.
  const Tensor factor = clamp(div(double{max_norm}, total + 1e-6), {}, 1.0);
  for (const Tensor& gradient : gradients) {
    const bool is_near = gradient.impl()->device == factor.impl()->device;
    gradient.mul_(is_near ? factor : empty_like(gradient).copy_(factor));
  }
  return total;
}

void clip_grad_value_(std::span<const Tensor> parameters, Real limit) {
  require_limit("clip_grad_value_", "limit", limit);
  const NoGrad no_grad;
  for (const Tensor& gradient : gradients_of(parameters))
    gradient.clamp_(-double{limit}, double{limit});
}

}  // namespace switchyard
