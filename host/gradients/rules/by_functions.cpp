#include "gradients/rules/by_functions.hpp"

#include <switchyard/autograd.hpp>
#include <switchyard/functions.hpp>

#include "functions/calls/call.hpp"

namespace switchyard {
namespace {

constinit const ContractOp kIdentity("Identity");

/// The inputs as the beginning of a way of their own, which ends at them even where one was made
/// from another. With `further` their histories go on behind it, for gradients of gradients.
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

void go_back_through(Backward& step, Written written) {
  const bool further = is_grad_enabled();
  std::vector<Tensor> inputs, outputs;
  {
    const GradMode noting(true);
    inputs = own_inputs(step, further);
    outputs = written(step, inputs);
  }
  std::vector<Tensor> reached, arriving;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!step.has_grad_output(i) || !outputs[i] || !outputs[i].requires_grad()) continue;
    reached.push_back(outputs[i]);
    arriving.push_back(step.grad_output(i));
  }
  std::vector<Tensor> wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (step.needs_input_grad(i)) wanted.push_back(inputs[i]);
  }
  if (reached.empty() || wanted.empty()) return;
  const std::vector<Tensor> gradients =
      grad(reached, wanted,
           {.grad_outputs = std::move(arriving), .create_graph = further, .allow_unused = true});
  for (std::size_t i = 0, next = 0; i < inputs.size(); ++i) {
    if (step.needs_input_grad(i)) step.set_grad_input(i, gradients[next++]);
  }
}

Tensor widened(const Tensor& x) {
  return !x || x.dtype() == DType::float64 ? x : x.to(DType::float32);
}

}  // namespace switchyard
