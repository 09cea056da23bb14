#include <switchyard/optim/adam.hpp>

#include <array>
#include <cmath>
#include <switchyard/functions/pointwise.hpp>

#include "functions/calls/call.hpp"
#include "functions/calls/numbers.hpp"
#include "optim/options_of.hpp"

namespace switchyard::optim {
namespace {

constinit const EagerOp kAdamStep("AdamStep", "switchyard");

/// 1 - beta^step
double correction(double beta, std::int64_t step) {
  return 1 - std::pow(beta, static_cast<double>(step));
}

std::vector<Adam::Group> as_adam(const std::vector<AdamW::Group>& groups) {
  std::vector<Adam::Group> all;
  for (const AdamW::Group& group : groups)
    all.push_back({group.parameters, AdamOptions(group.options)});
  return all;
}

}  // namespace

Adam::Adam(const std::vector<Tensor>& parameters, const AdamOptions& options)
    : Adam(std::vector<Group>{{parameters, options}}, false) {}

Adam::Adam(const std::vector<Group>& groups) : Adam(groups, false) {}

Adam::Adam(const std::vector<Group>& groups, bool decoupled)
    : options_(options_of<AdamOptions>(groups)), initial_(options_), decoupled_(decoupled) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    AdamOptions& own = options_[i];
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"beta1", &own.betas.first},
                                     {"beta2", &own.betas.second},
                                     {"eps", &own.eps},
                                     {"weight_decay", &own.weight_decay}});
  }
}

AdamW::AdamW(const std::vector<Tensor>& parameters, const AdamWOptions& options)
    : Adam({{parameters, AdamOptions(options)}}, true) {}

AdamW::AdamW(const std::vector<Group>& groups) : Adam(as_adam(groups), true) {}

std::vector<std::string_view> Adam::state_names(std::size_t group) const {
  if (initial_[group].amsgrad) return {"exp_avg", "exp_avg_sq", "max_exp_avg_sq"};
  return {"exp_avg", "exp_avg_sq"};
}

/// As SGD::is_fused; AdamStep keeps no largest squares.
bool Adam::is_fused(const Tensor& parameter, std::size_t group) const {
  const AdamOptions& now = options_[group];
  const AdamOptions& at_first = initial_[group];
  return parameter.dtype() != DType::float64 && !at_first.amsgrad && now.betas == at_first.betas &&
         now.eps == at_first.eps && now.weight_decay == at_first.weight_decay;
}

void Adam::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  if (!is_fused(slot.parameter, group)) return update_composed(slot, gradient, group);
  const AdamOptions& options = options_[group];
  const std::array targets{slot.parameter, slot.state[0], slot.state[1]};
  const std::array inputs{slot.parameter,
                          gradient,
                          slot.state[0],
                          slot.state[1],
                          number(options.lr, DType::float32),
                          number(correction(options.betas.first, slot.steps), DType::float32),
                          number(correction(options.betas.second, slot.steps), DType::float32)};
  kAdamStep.write_to(targets, inputs,
                     attributes({{"decoupled", std::int64_t{decoupled_}},
                                 {"epsilon", static_cast<float>(options.eps)},
                                 {"gain1", static_cast<float>(1 - options.betas.first)},
                                 {"gain2", static_cast<float>(1 - options.betas.second)},
                                 {"weight_decay", static_cast<float>(options.weight_decay)}}));
}

void Adam::update_composed(Slot& slot, const Tensor& gradient, std::size_t group) {
  const AdamOptions& options = options_[group];
  const auto [beta1, beta2] = options.betas;
  const Tensor& mean = slot.state[0];
  const Tensor& square = slot.state[1];
  const Tensor grad = decayed(gradient, slot.parameter, decoupled_ ? 0 : options.weight_decay);
  if (decoupled_) slot.parameter.mul_(1 - options.lr * options.weight_decay);
  mean.mul_(beta1).add_(grad, 1 - beta1);
  square.mul_(beta2).addcmul_(grad, grad, 1 - beta2);
  if (initial_[group].amsgrad) slot.state[2].copy_(maximum(slot.state[2], square));
  const Tensor& spread = initial_[group].amsgrad ? slot.state[2] : square;
  const Tensor divisor = sqrt(spread) / std::sqrt(correction(beta2, slot.steps)) + options.eps;
  slot.parameter.addcdiv_(mean, divisor, -options.lr / correction(beta1, slot.steps));
}

}  // namespace switchyard::optim
