#pragma once

#include <switchyard/tensor.hpp>
#include <vector>

namespace switchyard::optim {

/// Drops gradients, or makes them zeros where they lie.
inline void zero_gradients(const std::vector<Tensor>& parameters, bool set_to_none) {
  for (const Tensor& parameter : parameters) {
    const Tensor gradient = parameter.grad();
    if (!gradient.defined()) continue;
    if (set_to_none) {
      parameter.set_grad({});
    } else {
      gradient.detach().zero_();
    }
  }
}

}  // namespace switchyard::optim
