#include <switchyard/optim/adagrad.hpp>

#include <switchyard/functions/pointwise.hpp>

#include "optim/options_of.hpp"

namespace switchyard::optim {

Adagrad::Adagrad(const std::vector<Tensor>& parameters, const AdagradOptions& options)
    : Adagrad(std::vector<Group>{{parameters, options}}) {}

Adagrad::Adagrad(const std::vector<Group>& groups) : options_(options_of<AdagradOptions>(groups)) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    AdagradOptions& own = options_[i];
    add_group(groups[i].parameters,
              {{"lr", &own.lr},
               {"lr_decay", &own.lr_decay},
               {"eps", &own.eps},
               {"weight_decay", &own.weight_decay},
               {"initial_accumulator_value", &own.initial_accumulator_value}});
  }
}

std::vector<std::string_view> Adagrad::state_names(std::size_t) const { return {"sum"}; }

void Adagrad::update(Slot& slot, const Tensor& gradient, std::size_t group) {
  const AdagradOptions& options = options_[group];
  const Tensor grad = decayed(gradient, slot.parameter, options.weight_decay);
  const Tensor& sum = slot.state[0];
  if (slot.steps == 1) sum.fill_(options.initial_accumulator_value);
  sum.addcmul_(grad, grad);
  const double rate = options.lr / (1 + static_cast<double>(slot.steps - 1) * options.lr_decay);
  slot.parameter.addcdiv_(grad, sqrt(sum) + options.eps, -rate);
}

}  // namespace switchyard::optim
