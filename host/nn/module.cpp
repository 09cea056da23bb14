#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>

#include "functions/creation/new_tensor.hpp"
#include "nn/elements.hpp"
#include "nn/module_state.hpp"
#include "optim/zero_gradients.hpp"
#include "types/dtype_kinds.hpp"

namespace switchyard::nn {
namespace {

std::vector<Tensor> tensors_of(const NamedTensors& named) {
  std::vector<Tensor> tensors;
  tensors.reserve(named.size());
  for (const auto& entry : named) tensors.push_back(entry.second);
  return tensors;
}

template <typename List>
bool holds(const List& list, std::string_view name) {
  return std::any_of(list.begin(), list.end(),
                     [&](const auto& entry) { return entry.name == name; });
}

/// A tensor that may be registered: on a device, and no result of a function.
Tensor as_leaf(const Tensor& value) {
  const Tensor placed = value.device().is_host() ? place(value) : value;
  return placed.is_leaf() ? placed : placed.detach();
}

/// Calls `visit` with this module and those below it, and their names.
void walk(Module& module, const std::string& prefix,
          const std::function<void(const std::string&, Module&)>& visit) {
  visit(prefix, module);
  for (const NamedModule& child : module.children()) {
    walk(*child.module, joined(prefix, child.name), visit);
  }
}

}  // namespace

Tensor Module::forward(const Tensor&) {
  throw Error(
      ErrorKind::invalid_argument,
      "this module has no forward() of one tensor; override forward(const Tensor&), or call "
      "it with what it takes");
}

Tensor Module::register_parameter(Text name, const Tensor& value, Flag requires_grad) {
  check_name(name);
  if (!value.defined()) return value;
  Tensor parameter = as_leaf(value);
  parameter.requires_grad_(requires_grad);
  state_->parameters.push_back({std::string(name), parameter});
  return parameter;
}

Tensor Module::register_buffer(Text name, const Tensor& value, Flag persistent) {
  check_name(name);
  if (!value.defined()) return value;
  const Tensor buffer = as_leaf(value);
  state_->buffers.push_back({std::string(name), buffer, persistent});
  return buffer;
}

void Module::add_child(std::string_view name, std::shared_ptr<Module> child) {
  check_name(name);
  if (child->holds_below(*state_)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the module '{}' holds the one that it is added to; a copy shares what "
                            "a module holds, so that this would have no end",
                            name));
  }
  state_->children.push_back({std::string(name), std::move(child)});
}

bool Module::holds_below(const State& state) const {
  if (state_.get() == &state) return true;
  return std::any_of(state_->children.begin(), state_->children.end(),
                     [&](const NamedModule& below) { return below.module->holds_below(state); });
}

void Module::check_name(std::string_view name) const {
  if (name.empty() || name.find('.') != std::string_view::npos) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("'{}' cannot name a part of a module: names are not empty and have no "
                            "dot, which separates them",
                            name));
  }
  if (holds(state_->parameters, name) || holds(state_->buffers, name) ||
      holds(state_->children, name)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("the module has a part named '{}' already", name));
  }
}

const std::vector<NamedModule>& Module::children() const { return state_->children; }

std::vector<std::pair<std::string, Module*>> Module::named_modules() {
  std::vector<std::pair<std::string, Module*>> modules;
  walk(*this, "",
       [&](const std::string& name, Module& module) { modules.emplace_back(name, &module); });
  return modules;
}

void Module::apply(const std::function<void(Module&)>& f) {
  if (!f)
    throw Error(ErrorKind::invalid_argument, "apply() got no function to call with the modules");
  for (const NamedModule& child : children()) child.module->apply(f);
  f(*this);
}

template <typename Visit>
void Module::each(const std::string& prefix, const Visit& visit) const {
  visit(prefix, *state_);
  for (const NamedModule& child : state_->children) {
    child.module->each(joined(prefix, child.name), visit);
  }
}

NamedTensors Module::named(std::vector<Entry> State::*list) const {
  NamedTensors all;
  std::set<const void*> seen;
  each("", [&](const std::string& prefix, const State& state) {
    for (const Entry& entry : state.*list) {
      if (!seen.insert(entry.tensor.impl()).second) continue;
      all.emplace_back(joined(prefix, entry.name), entry.tensor);
    }
  });
  return all;
}

NamedTensors Module::persistent_tensors() const {
  NamedTensors all;
  each("", [&](const std::string& prefix, const State& state) {
    for (const auto* list : {&state.parameters, &state.buffers}) {
      for (const Entry& entry : *list) {
        if (entry.persistent) all.emplace_back(joined(prefix, entry.name), entry.tensor);
      }
    }
  });
  return all;
}

NamedTensors Module::own_parameters() const {
  NamedTensors own;
  for (const Entry& entry : state_->parameters) own.emplace_back(entry.name, entry.tensor);
  return own;
}

NamedTensors Module::named_parameters() const { return named(&State::parameters); }
NamedTensors Module::named_buffers() const { return named(&State::buffers); }
std::vector<Tensor> Module::parameters() const { return tensors_of(named_parameters()); }
std::vector<Tensor> Module::buffers() const { return tensors_of(named_buffers()); }

void Module::to(const Device& device) {
  for (const Tensor& parameter : parameters()) bring_to(parameter, device);
  for (const Tensor& buffer : buffers()) bring_to(buffer, device);
}

void Module::to(DType dtype) {
  if (!is_floating(dtype)) {
    throw Error(ErrorKind::invalid_argument,
                fmt::format("a module computes in a floating-point type, not in {}; convert single "
                            "tensors with Tensor::to()",
                            name_of(dtype)));
  }
  for (const NamedTensors& list : {named_parameters(), named_buffers()}) {
    for (const auto& entry : list) {
      if (is_floating(entry.second.dtype())) convert(entry.second, dtype);
    }
  }
}

void Module::to(const Device& device, DType dtype) {
  to(device);
  to(dtype);
}

void Module::train(Flag training) {
  state_->training = training;
  for (const NamedModule& child : children()) child.module->train(training);
}

bool Module::is_training() const { return state_->training; }

void Module::requires_grad_(Flag requires_grad) {
  for (Tensor& parameter : parameters()) parameter.requires_grad_(requires_grad);
}

void Module::zero_grad(Flag set_to_none) { optim::zero_gradients(parameters(), set_to_none); }

}  // namespace switchyard::nn
