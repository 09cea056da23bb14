#pragma once

#include <span>
#include <vector>

#include "gradients/rule.hpp"

namespace switchyard {

/// An op written once more as a composite of differentiable functions: its outputs, from its
/// inputs, of which those that were left out are not tensors. Outputs that no gradient flows
/// through may be empty; the others have the op's shapes and dtypes. It must draw no random
/// numbers.
using Composite = std::vector<Tensor> (*)(const Backward& step, std::span<const Tensor> inputs);

/// Runs `composite` on the step's inputs, all of which its row must save, and differentiates what
/// that recorded, no further than to them: gradients of any order.
void differentiate_composite(Backward& step, Composite composite);

/// The rule of an op that is written as a composite: `{"GRU", composite_gradient<gru>, kAll}`.
template <Composite composite>
void composite_gradient(Backward& step) {
  differentiate_composite(step, composite);
}

/// The type to compute in where ops compute narrow types in float32.
Tensor widened(const Tensor& x);

}  // namespace switchyard
