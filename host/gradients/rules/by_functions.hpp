#pragma once

#include <span>
#include <vector>

#include "gradients/rule.hpp"

namespace switchyard {

/// An op written once more with differentiable functions: what it makes of its inputs, where those
/// that were left out are not tensors. Outputs that nothing flows through may be no tensors; the
/// others have the op's shapes and dtypes. It must draw no random numbers.
using Written = std::vector<Tensor> (*)(const Backward& step, std::span<const Tensor> inputs);

/// Runs `written` on the step's inputs, all of which its row must save, and differentiates what
/// that noted, no further than to them: gradients of any order.
void go_back_through(Backward& step, Written written);

/// The rule of an op that is written once more: `{"GRU", by_functions<gru>, kAll}`.
template <Written written>
void by_functions(Backward& step) {
  go_back_through(step, written);
}

/// The type to compute in where ops compute narrow types in float32.
Tensor widened(const Tensor& x);

}  // namespace switchyard
