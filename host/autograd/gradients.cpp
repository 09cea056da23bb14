#include <fmt/format.h>

#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>

#include "autograd/backward.hpp"
#include "autograd/mode.hpp"
#include "autograd/saved.hpp"
#include "autograd/variable.hpp"
#include "ops/describe.hpp"
#include "ops/dtype_kinds.hpp"

namespace switchyard {
namespace {

/// A number is shared by all who write the same one.
void refuse_number(const TensorImpl& impl) {
  if (!impl.is_number) return;
  throw Error(ErrorKind::usage,
              "a C++ number is no tensor of its own and has no gradient; make a tensor of it with "
              "full({}, number)");
}

/// The gradient that going back starts with.
Tensor start(const Tensor& output, const Tensor& given) {
  if (!given) {
    if (output.size() != 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("backward() from a tensor of shape {} needs the gradient of its "
                              "elements; pass one, or reduce it to one element first",
                              describe(output.shape())));
    }
    return ones_like(output);
  }
  if (given.shape() == output.shape() && given.dtype() == output.dtype()) return given;
  throw Error(ErrorKind::usage, fmt::format("the gradient given is {}, but the tensor is {}",
                                            describe(given.dtype(), given.shape()),
                                            describe(output.dtype(), output.shape())));
}

Edge root(const Tensor& output) {
  Edge edge = edge_of(impl_of(output));
  if (edge) return edge;
  throw Error(ErrorKind::usage,
              "this tensor requires no gradient: nothing that it was made from asks for one "
              "(requires_grad_()), or it was made under NoGrad");
}

}  // namespace

bool is_grad_enabled() { return grad_mode; }
GradMode::GradMode(bool enabled) : before_(grad_mode) { grad_mode = enabled; }
GradMode::~GradMode() { grad_mode = before_; }

bool Tensor::requires_grad() const { return switchyard::requires_grad(impl_of(*this)); }

bool Tensor::is_leaf() const {
  const Edge edge = edge_of(impl_of(*this));
  return !edge || !variable_of(*impl_)->made_by;
}

Tensor& Tensor::requires_grad_(bool requires_grad) {
  TensorImpl& impl = impl_of(*this);
  if (!is_leaf()) {
    if (requires_grad) return *this;
    throw Error(ErrorKind::usage,
                "only a leaf may stop to require a gradient; use detach() for the elements of a "
                "tensor that a function made");
  }
  if (requires_grad && !is_floating(impl.dtype)) {
    throw Error(ErrorKind::usage,
                fmt::format("{} has no gradients; convert the tensor to a floating-point type",
                            name_of(impl.dtype)));
  }
  if (!requires_grad && !impl.history) return *this;
  refuse_number(impl);
  Variable& variable = make_variable(impl);
  // A leaf of its own from now on, though it may share the elements of a tensor without gradient.
  if (requires_grad && !variable.requires_grad) variable.base.reset();
  if (requires_grad && !variable.accumulate) {
    variable.accumulate = std::make_unique<Accumulate>(impl);
  }
  variable.requires_grad = requires_grad;
  return *this;
}

Tensor Tensor::grad() const {
  const Variable* variable = variable_of(impl_of(*this));
  if (!variable) return {};
  return variable->kept ? *variable->kept : variable->grad;
}

void Tensor::set_grad(const Tensor& gradient) const {
  if (gradient && (gradient.shape() != shape() || gradient.dtype() != dtype())) {
    throw Error(ErrorKind::usage, fmt::format("a gradient of {} does not fit a tensor of {}",
                                              describe(gradient.dtype(), gradient.shape()),
                                              describe(dtype(), shape())));
  }
  refuse_number(*impl_);
  make_variable(*impl_).grad = gradient;
}

void Tensor::retain_grad() const {
  TensorImpl& impl = impl_of(*this);
  const Edge edge = root(*this);
  Variable& variable = *variable_of(impl);
  if (!variable.made_by || variable.kept) return;
  variable.kept = std::make_shared<Tensor>();
  edge.step->keep(edge.output, variable.kept);
}

Tensor Tensor::detach() const { return Tensor(alias_of(TensorRef(&impl_of(*this))).get()); }

void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  WayBack way{{root(*this)}, {}, retain_graph || create_graph, create_graph};
  way.gradients.push_back(start(*this, gradient));
  way.run();
}

std::vector<Tensor> grad(std::span<const Tensor> outputs, std::span<const Tensor> inputs,
                         const GradOptions& options) {
  if (options.grad_outputs.size() > outputs.size()) {
    throw Error(ErrorKind::usage, fmt::format("grad() got {} gradients of {} outputs",
                                              options.grad_outputs.size(), outputs.size()));
  }
  WayBack way;
  way.retain_graph = options.retain_graph || options.create_graph;
  way.create_graph = options.create_graph;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    way.roots.push_back(root(outputs[i]));
    way.gradients.push_back(
        start(outputs[i], i < options.grad_outputs.size() ? options.grad_outputs[i] : Tensor()));
  }
  std::vector<Edge> targets;
  for (const Tensor& input : inputs) targets.push_back(edge_of(impl_of(input)));
  std::vector<Tensor> results = way.run_to(targets);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] || options.allow_unused) continue;
    throw Error(ErrorKind::usage,
                fmt::format("input {} of grad() is not part of how the outputs were made; pass "
                            "allow_unused = true if that may be",
                            i));
  }
  return results;
}

Tensor grad(const Tensor& output, const Tensor& input, const GradOptions& options) {
  return grad(std::span(&output, 1), std::span(&input, 1), options)[0];
}

}  // namespace switchyard
