#include <switchyard/optim/nadam.hpp>

#include <cmath>
#include <switchyard/functions/pointwise.hpp>

#include "optim/options_of.hpp"

namespace switchyard::optim {
namespace {

double momentum_in(const NAdamOptions& options, std::int64_t step) {
  const double decay = std::pow(0.96, static_cast<double>(step) * options.momentum_decay);
  return options.betas.first * (1 - 0.5 * decay);
}

}  // namespace

NAdam::NAdam(const std::vector<Tensor>& parameters, const NAdamOptions& options)
    : NAdam(std::vector<Group>{{parameters, options}}) {}

NAdam::NAdam(const std::vector<Group>& groups) : options_(options_of<NAdamOptions>(groups)) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    NAdamOptions& own = options_[i];
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"beta1", &own.betas.first},
                                     {"beta2", &own.betas.second},
                                     {"eps", &own.eps},
                                     {"weight_decay", &own.weight_decay},
                                     {"momentum_decay", &own.momentum_decay}});
  }
}

std::vector<std::string_view> NAdam::state_names(std::size_t) const {
  return {"exp_avg", "exp_avg_sq"};
}
std::vector<std::string_view> NAdam::number_names(std::size_t) const { return {"mu_product"}; }

void NAdam::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  const NAdamOptions& options = options_[group];
  const auto [beta1, beta2] = options.betas;
  const bool decoupled = options.decoupled_weight_decay;
  const Tensor& mean = slot.state[0];
  const Tensor& square = slot.state[1];
  const Tensor grad = decayed(gradient, slot.parameter, decoupled ? 0 : options.weight_decay);
  if (decoupled) slot.parameter.mul_(1 - options.lr * options.weight_decay);
  const double now = momentum_in(options, slot.steps);
  const double next = momentum_in(options, slot.steps + 1);
  const double product = slot.numbers[0] *= now;
  mean.mul_(beta1).add_(grad, 1 - beta1);
  square.mul_(beta2).addcmul_(grad, grad, 1 - beta2);
  const double correction = 1 - std::pow(beta2, static_cast<double>(slot.steps));
  const Tensor divisor = sqrt(square / correction) + options.eps;
  slot.parameter.addcdiv_(grad, divisor, -options.lr * (1 - now) / (1 - product));
  slot.parameter.addcdiv_(mean, divisor, -options.lr * next / (1 - product * next));
}

}  // namespace switchyard::optim
