#include "gradients/rules/composite_gradient.hpp"

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"

namespace switchyard {
namespace {

constinit const EagerOp kIdentity("Identity");

/// The inputs as leaves of a graph of their own, which ends at them even where one was made from
/// another. With `further` their own graphs follow behind, for gradients of gradients.
std::vector<Tensor> own_inputs(const Backward& step, bool further) {
  std::vector<Tensor> inputs(step.input_count());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!step.has_input(i)) continue;
    const Tensor saved = step.input(i);
    if (further && step.needs_input_grad(i)) {
      inputs[i] = kIdentity(saved);
    } else {
      inputs[i] = saved.detach();
      if (step.needs_input_grad(i)) inputs[i].requires_grad_();
    }
  }
  return inputs;
}

}  // namespace

void differentiate_composite(Backward& step, Composite composite) {
  const bool further = is_grad_enabled();
  std::vector<Tensor> inputs, outputs;
  {
    const GradMode recording(true);
    inputs = own_inputs(step, further);
    outputs = composite(step, inputs);
  }
  std::vector<Tensor> reached, grad_outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!step.has_grad_output(i) || !outputs[i].defined() || !outputs[i].requires_grad()) continue;
    reached.push_back(outputs[i]);
    grad_outputs.push_back(step.grad_output(i));
  }
  std::vector<Tensor> wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (step.needs_input_grad(i)) wanted.push_back(inputs[i]);
  }
  if (reached.empty() || wanted.empty()) return;
  const std::vector<Tensor> gradients = grad(
      reached, wanted,
      {.allow_unused = true, .create_graph = further, .grad_outputs = std::move(grad_outputs)});
  for (std::size_t i = 0, next = 0; i < inputs.size(); ++i) {
    if (step.needs_input_grad(i)) step.set_grad_input(i, gradients[next++]);
  }
}

Tensor widened(const Tensor& x) {
  return !x.defined() || x.dtype() == DType::float64 ? x : x.to(DType::float32);
}

}  // namespace switchyard
