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

/// A number as steps take it: of the type that they compute in.
inline DType scalar_type(const Tensor& parameter) {
  return parameter.dtype() == DType::float64 ? DType::float64 : DType::float32;
}

/// gradient + weight_decay parameter
Tensor decayed(const Tensor& gradient, const Tensor& parameter, double weight_decay);

}  // namespace switchyard::optim
