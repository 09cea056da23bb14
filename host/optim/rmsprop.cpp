#include <switchyard/optim/rmsprop.hpp>

#include <switchyard/functions/pointwise.hpp>

#include "optim/options_of.hpp"

namespace switchyard::optim {

RMSprop::RMSprop(const std::vector<Tensor>& parameters, const RMSpropOptions& options)
    : RMSprop(std::vector<Group>{{parameters, options}}) {}

RMSprop::RMSprop(const std::vector<Group>& groups)
    : options_(options_of<RMSpropOptions>(groups)), initial_(options_) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    RMSpropOptions& own = options_[i];
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"alpha", &own.alpha},
                                     {"eps", &own.eps},
                                     {"weight_decay", &own.weight_decay},
                                     {"momentum", &own.momentum}});
  }
}

std::vector<std::string_view> RMSprop::state_names(std::size_t group) const {
  std::vector<std::string_view> names{"square_avg"};
  if (initial_[group].centered) names.emplace_back("grad_avg");
  if (options_[group].momentum != 0) names.emplace_back("momentum_buffer");
  return names;
}

void RMSprop::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  const RMSpropOptions& options = options_[group];
  const Tensor grad = decayed(gradient, slot.parameter, options.weight_decay);
  const Tensor& square = slot.state[0];
  square.mul_(options.alpha).addcmul_(grad, grad, 1 - options.alpha);
  Tensor variance = square;
  if (initial_[group].centered) {
    const Tensor& mean = slot.state[1];
    mean.mul_(options.alpha).add_(grad, 1 - options.alpha);
    variance = addcmul(square, mean, mean, -1);
  }
  const Tensor divisor = sqrt(variance) + options.eps;
  if (options.momentum == 0) {
    slot.parameter.addcdiv_(grad, divisor, -options.lr);
    return;
  }
  const Tensor& velocity = slot.state.back();
  velocity.mul_(options.momentum).addcdiv_(grad, divisor);
  slot.parameter.sub_(velocity, options.lr);
}

}  // namespace switchyard::optim
