#include <switchyard/optim/optimizer.hpp>

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <switchyard/autograd.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions/creation.hpp>

#include "device/open_device.hpp"
#include "optim/follow.hpp"
#include "optim/state_reader.hpp"
#include "optim/zero_gradients.hpp"
#include "tensor/tensor_impl.hpp"

namespace switchyard::optim {

void follow(const Tensor& parameter, Tensor& state) {
  const TensorImpl& leader = impl_of(parameter);
  if (impl_of(state).device != leader.device) {
    state = state.to(Device(leader.device->shared_from_this()));
  }
  if (state.dtype() != leader.dtype) state = state.to(leader.dtype);
}

namespace {

void check(const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) {
    const std::string fault = fault_of(setting.name, *setting.value);
    if (!fault.empty()) throw Error(ErrorKind::invalid_argument, "an optimizer got " + fault);
  }
}

}  // namespace

Optimizer::~Optimizer() = default;

void Optimizer::check_settings() const {
  for (const Group& group : groups_) check(group.settings);
}

void Optimizer::add_group(std::span<const Tensor> parameters, std::vector<Setting> settings) {
  check(settings);
  std::set<const TensorImpl*> seen;
  for (const Tensor& known : this->parameters()) seen.insert(known.impl());
  std::vector<Slot> slots;
  for (const Tensor& parameter : parameters) {
    if (!parameter.is_leaf() || parameter.device().is_host()) {
      throw Error(ErrorKind::invalid_argument,
                  "an optimizer changes leaves that lie on a device; it got a tensor that a "
                  "function made, or a value of the host");
    }
    if (!seen.insert(parameter.impl()).second) {
      throw Error(ErrorKind::invalid_argument,
                  "an optimizer got a parameter twice; each belongs to one group");
    }
    slots.push_back({.parameter = parameter, .state = {}, .steps = 0});
  }
  if (slots.empty())
    throw Error(ErrorKind::invalid_argument, "an optimizer got a group without parameters");
  groups_.push_back({std::move(slots), std::move(settings), {}});
}

void Optimizer::prepare(Slot& slot, std::size_t group) const {
  const std::size_t count = state_names(group).size();
  if (slot.state.size() > count) slot.state.resize(count);
  for (Tensor& state : slot.state) follow(slot.parameter, state);
  while (slot.state.size() < count) slot.state.push_back(zeros_like(slot.parameter));
  slot.numbers.resize(number_names(group).size(), 1);
}

std::vector<std::string_view> Optimizer::number_names(std::size_t) const { return {}; }

void Optimizer::step() {
  const NoGrad no_grad;
  check_settings();
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    for (Slot& slot : groups_[group].slots) {
      const Tensor gradient = slot.parameter.grad();
      if (!gradient.defined()) continue;
      prepare(slot, group);
      ++slot.steps;
      try {
        update(slot, gradient, group);
      } catch (...) {
        --slot.steps;
        throw;
      }
    }
  }
}

Tensor Optimizer::step(const Closure& closure) {
  Tensor loss = loss_of(closure);
  step();
  return loss;
}

Tensor Optimizer::loss_of(const Closure& closure) {
  if (!closure)
    throw Error(ErrorKind::invalid_argument, "step() got no closure; give one, or none at all");
  const GradMode recording(true);
  Tensor loss = closure();
  if (loss.defined()) return loss;
  throw Error(ErrorKind::invalid_argument,
              "the closure of step() gives no tensor; return the loss");
}

void Optimizer::zero_grad(Flag set_to_none) { zero_gradients(parameters(), set_to_none); }

std::vector<Tensor> Optimizer::parameters() const {
  std::vector<Tensor> all;
  for (const Group& group : groups_) {
    for (const Slot& slot : group.slots) all.push_back(slot.parameter);
  }
  return all;
}

std::size_t Optimizer::checked(std::size_t group) const {
  if (group < groups_.size()) return group;
  throw Error(ErrorKind::invalid_argument,
              // Signed, so that what a caller wrote as -1 reads so.
              fmt::format("there is no group {} of {}, counted from 0",
                          static_cast<std::int64_t>(group), groups_.size()));
}

const std::vector<Setting>& Optimizer::settings(std::size_t group) const {
  return groups_[checked(group)].settings;
}

// The learning rate comes first in every optimizer.
double Optimizer::lr(Int group) const { return *settings(group)[0].value; }
double Optimizer::initial_lr(std::size_t group) {
  std::optional<double>& first = groups_[group].initial_lr;
  if (!first) first = lr(group);
  return *first;
}
void Optimizer::set_lr(Real lr, Int group) {
  if (!(lr >= 0) || std::isinf(lr)) {
    throw Error(
        ErrorKind::invalid_argument,
        fmt::format("[set_lr] the learning rate is {}; it must be a number of at least 0", lr));
  }
  *settings(group)[0].value = lr;
}

}  // namespace switchyard::optim
