#include <switchyard/optim/adadelta.hpp>

#include <switchyard/functions/pointwise.hpp>

#include "optim/options_of.hpp"

namespace switchyard::optim {

Adadelta::Adadelta(const std::vector<Tensor>& parameters, const AdadeltaOptions& options)
    : Adadelta(std::vector<Group>{{parameters, options}}) {}

Adadelta::Adadelta(const std::vector<Group>& groups)
    : options_(options_of<AdadeltaOptions>(groups)) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    AdadeltaOptions& own = options_[i];
    add_group(groups[i].parameters, {{"lr", &own.lr},
                                     {"rho", &own.rho},
                                     {"eps", &own.eps},
                                     {"weight_decay", &own.weight_decay}});
  }
}

std::vector<std::string_view> Adadelta::state_names(std::size_t) const {
  return {"square_avg", "acc_delta"};
}

void Adadelta::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  const AdadeltaOptions& options = options_[group];
  const Tensor grad = decayed(gradient, slot.parameter, options.weight_decay);
  const Tensor& square = slot.state[0];
  const Tensor& moved = slot.state[1];
  square.mul_(options.rho).addcmul_(grad, grad, 1 - options.rho);
  const Tensor delta = sqrt(moved + options.eps) / sqrt(square + options.eps) * grad;
  moved.mul_(options.rho).addcmul_(delta, delta, 1 - options.rho);
  slot.parameter.sub_(delta, options.lr);
}

}  // namespace switchyard::optim
