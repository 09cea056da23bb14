// backward() and grad().
#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/gradient_form.hpp"
#include "autograd/variable.hpp"
#include "gradients/backward.hpp"
#include "gradients/rule.hpp"
#include "types/describe.hpp"

namespace switchyard {
namespace {

// Here, as a program that goes back has this file.
[[maybe_unused]] const bool rules_are_set = [] {
  set_rule_lookup(rule_of);
  return true;
}();

/// The gradient that the backward pass starts with.
Tensor first_gradient(const char* function, const Tensor& output, const Tensor& given) {
  if (!given.defined()) {
    if (output.size() != 1) {
      throw Error(ErrorKind::invalid_argument,
                  fmt::format("[{}] a tensor of shape {} needs the gradient of its elements; pass "
                              "one, or reduce it to one element first",
                              function, describe(output.shape())));
    }
    return ones_like(output);
  }
  return fitting_gradient(given, GradientForm(*output.impl()), function, "the output");
}

}  // namespace

void Tensor::backward(const Tensor& gradient, Flag retain_graph, Flag create_graph) const {
  BackwardPass pass{
      {required_edge_of(impl_of(*this))}, {}, retain_graph || create_graph, create_graph};
  pass.gradients.push_back(first_gradient("backward", *this, gradient));
  pass.run();
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         const GradOptions& options) {
  if (options.grad_outputs.size() > outputs.size()) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[grad] got {} gradients of {} outputs", options.grad_outputs.size(),
                            outputs.size()));
  }
  BackwardPass pass;
  pass.retain_graph = options.retain_graph || options.create_graph;
  pass.create_graph = options.create_graph;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    pass.roots.push_back(required_edge_of(impl_of(outputs[i])));
    pass.gradients.push_back(first_gradient(
        "grad", outputs[i], i < options.grad_outputs.size() ? options.grad_outputs[i] : Tensor()));
  }
  std::vector<Edge> targets;
  for (const Tensor& input : inputs) targets.push_back(edge_of(impl_of(input)));
  std::vector<Tensor> results = pass.run_to(targets);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].defined() || options.allow_unused) continue;
    throw Error(ErrorKind::invalid_argument,
                fmt::format("[grad] input {} is not part of how the outputs were made; pass "
                            "allow_unused = true if that may be",
                            i));
  }
  return results;
}

Tensor grad(const Tensor& output, const Tensor& input, const GradOptions& options) {
  return grad(std::span(&output, 1), std::span(&input, 1), options)[0];
}

}  // namespace switchyard
