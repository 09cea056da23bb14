#pragma once

#include <switchyard/optim/optimizer.hpp>

namespace switchyard::optim {

/// The options of each group.
template <typename Options, typename Group>
std::vector<Options> options_of(const std::vector<Group>& groups) {
  std::vector<Options> options;
  for (const Group& group : groups) options.push_back(group.options);
  return options;
}

/// gradient + weight_decay parameter
Tensor decayed(const Tensor& gradient, const Tensor& parameter, double weight_decay);

}  // namespace switchyard::optim
