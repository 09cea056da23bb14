// Optimizer steps over contiguous numbers.
#pragma once

#include <cstdint>

namespace cpu {

struct SgdNumbers {
  double rate, weight_decay;
};
struct MomentumNumbers {
  double rate, weight_decay, momentum, dampening;
  bool nesterov;
};
struct AdamNumbers {
  double rate, correction1, correction2, weight_decay, epsilon, gain1, gain2;
  bool decoupled;
};

// `from` has the parameter, the gradient and the state, `to` the new parameter and state; an output
// may be the very elements of an input.
template <typename T, typename Numbers>
using Step = void (*)(const Numbers& numbers, const T* const* from, T* const* to, int64_t count);

// Vector code for the processor at hand.
struct VectorSteps {
  Step<float, SgdNumbers> sgd_floats;
  Step<double, SgdNumbers> sgd_doubles;
  Step<float, MomentumNumbers> momentum_floats;
  Step<double, MomentumNumbers> momentum_doubles;
  Step<float, AdamNumbers> adam_floats;
  Step<double, AdamNumbers> adam_doubles;
};
const VectorSteps& vector_steps();

}  // namespace cpu
