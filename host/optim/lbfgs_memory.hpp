#pragma once

#include <cstdint>
#include <switchyard/optim/lbfgs.hpp>

namespace switchyard::optim {

/// What the next iterations depend on. Vectors are those of all parameters, one behind the other.
struct LBFGS::Memory {
  Tensor direction;          // no tensor before the first iteration; nor is there what follows
  Tensor previous_gradient;  // where the direction was taken
  double previous_loss = 0;
  double step_size = 0;
  double scale = 1;  // of the Hessian's approximation to begin with
  std::vector<Tensor> gradient_changes, moves;
  std::vector<Tensor> inverse_products;  // of a change of the gradient and its move

  std::int64_t evaluations = 0, iterations = 0;
};

}  // namespace switchyard::optim
