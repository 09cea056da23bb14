#include <switchyard/optim/sgd.hpp>

#include <array>
#include <switchyard/error.hpp>
#include <switchyard/functions/pointwise.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "optim/options_of.hpp"

namespace switchyard::optim {
namespace {

constinit const EagerOp kSgdStep("SgdStep", "switchyard"),
    kMomentumStep("MomentumStep", "switchyard");

void check(const SGDOptions& options) {
  if (!options.nesterov || (options.momentum > 0 && options.dampening == 0)) return;
  throw Error(ErrorKind::invalid_argument, "[SGD] nesterov needs a momentum, and a dampening of 0");
}

/// PyTorch does not dampen the first step.
double dampening_of(const SGDOptions& options, std::int64_t step) {
  return step == 1 ? 0 : options.dampening;
}

}  // namespace

Tensor decayed(const Tensor& gradient, const Tensor& parameter, double weight_decay) {
  return weight_decay == 0 ? gradient : gradient + parameter * weight_decay;
}

SGD::SGD(const std::vector<Tensor>& parameters, const SGDOptions& options)
    : SGD(std::vector<Group>{{parameters, options}}) {}

SGD::SGD(const std::vector<Group>& groups)
    : options_(options_of<SGDOptions>(groups)), initial_(options_) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    SGDOptions& own = options_[i];
    check(own);
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"momentum", &own.momentum},
                                     {"dampening", &own.dampening},
                                     {"weight_decay", &own.weight_decay}});
  }
}

std::vector<std::string_view> SGD::state_names(std::size_t group) const {
  if (options_[group].momentum == 0) return {};
  return {"momentum_buffer"};
}

/// Attributes are float32, which is too narrow for float64; and each value of them makes a call of
/// its own that is kept, which is too much for what a schedule moves.
bool SGD::is_fused(const Tensor& parameter, std::size_t group) const {
  const SGDOptions& now = options_[group];
  const SGDOptions& at_first = initial_[group];
  return parameter.dtype() != DType::float64 && now.momentum == at_first.momentum &&
         now.weight_decay == at_first.weight_decay;
}

void SGD::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  if (!is_fused(slot.parameter, group)) return update_composed(slot, gradient, group);
  const SGDOptions& options = options_[group];
  const Tensor& parameter = slot.parameter;
  const Tensor rate = number(options.lr, DType::float32);
  const auto weight_decay = static_cast<float>(options.weight_decay);
  if (options.momentum == 0) {
    kSgdStep.write_to(parameter, {parameter, gradient, rate},
                      attributes({{"weight_decay", weight_decay}}));
    return;
  }
  const Tensor dampening = number(dampening_of(options, slot.steps), DType::float32);
  const std::array targets{parameter, slot.state[0]};
  const std::array inputs{parameter, gradient, slot.state[0], rate, dampening};
  kMomentumStep.write_to(targets, inputs,
                         attributes({{"momentum", static_cast<float>(options.momentum)},
                                     {"nesterov", std::int64_t{options.nesterov}},
                                     {"weight_decay", weight_decay}}));
}

void SGD::update_composed(Slot& slot, const Tensor& gradient, std::size_t group) {
  const SGDOptions& options = options_[group];
  Tensor grad = decayed(gradient, slot.parameter, options.weight_decay);
  if (options.momentum != 0) {
    const Tensor& velocity = slot.state[0];
    velocity.mul_(options.momentum).add_(grad, 1 - dampening_of(options, slot.steps));
    grad = options.nesterov ? grad + velocity * options.momentum : velocity;
  }
  slot.parameter.sub_(grad, options.lr);
}

}  // namespace switchyard::optim
