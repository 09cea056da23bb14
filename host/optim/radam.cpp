#include <switchyard/optim/radam.hpp>

#include <cmath>
#include <optional>
#include <switchyard/functions/pointwise.hpp>

#include "optim/options_of.hpp"

namespace switchyard::optim {
namespace {

/// None while the average of squares is of too few.
std::optional<double> rectification(double beta2, double step) {
  const double most = 2 / (1 - beta2) - 1;
  const double forgotten = std::pow(beta2, step);
  const double rho = most - 2 * step * forgotten / (1 - forgotten);
  if (rho <= 5) return std::nullopt;
  return std::sqrt((rho - 4) * (rho - 2) * most / ((most - 4) * (most - 2) * rho));
}

}  // namespace

RAdam::RAdam(const std::vector<Tensor>& parameters, const RAdamOptions& options)
    : RAdam(std::vector<Group>{{parameters, options}}) {}

RAdam::RAdam(const std::vector<Group>& groups) : options_(options_of<RAdamOptions>(groups)) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RAdamOptions& own = options_[i];
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"beta1", &own.betas.first},
                                     {"beta2", &own.betas.second},
                                     {"eps", &own.eps},
                                     {"weight_decay", &own.weight_decay}});
  }
}

std::vector<std::string_view> RAdam::state_names(std::size_t) const {
  return {"exp_avg", "exp_avg_sq"};
}

void RAdam::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  const RAdamOptions& options = options_[group];
  const auto [beta1, beta2] = options.betas;
  const bool decoupled = options.decoupled_weight_decay;
  const Tensor& mean = slot.state[0];
  const Tensor& square = slot.state[1];
  const Tensor grad = decayed(gradient, slot.parameter, decoupled ? 0 : options.weight_decay);
  if (decoupled) slot.parameter.mul_(1 - options.lr * options.weight_decay);
  mean.mul_(beta1).add_(grad, 1 - beta1);
  square.mul_(beta2).addcmul_(grad, grad, 1 - beta2);
  const auto step = static_cast<double>(slot.steps);
  const double rate = options.lr / (1 - std::pow(beta1, step));
  const std::optional<double> rectified = rectification(beta2, step);
  if (rectified) {
    const double root = std::sqrt(1 - std::pow(beta2, step));
    slot.parameter.addcdiv_(mean, sqrt(square) + options.eps, -rate * root * *rectified);
  } else {
    slot.parameter.sub_(mean, rate);
  }
}

}  // namespace switchyard::optim
