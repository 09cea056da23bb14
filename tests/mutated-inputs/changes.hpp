// One thing of a sound call made wrong, or unusual: a shape, the values of an input, an attribute.
#pragma once

#include <switchyard/runtime.hpp>
#include <switchyard/tensor.hpp>

#include <string>
#include <vector>

#include "cli/doctor/op_trials.hpp"

namespace switchyard::mutated_inputs {

struct Call {
  std::string_view op;
  std::vector<Tensor> inputs;
  AttributeArguments attributes;
  std::string what;  // was changed
};

/// The trials of all ops, and of those that leave inputs out one more with all of them.
std::vector<Call> sound_calls();

/// The call with each input in each of some other shapes: rank 0, without elements, each extent one
/// less and one more and 0, transposed, and of a higher rank. Elements are repeated.
std::vector<Call> with_other_shapes(const Call& call);

/// The call with each input full of NaN, infinities, or the extremes of its type.
std::vector<Call> with_other_values(const Call& call);

/// The call with each number of each attribute 0, negative, or as large as it can be.
std::vector<Call> with_other_attributes(const Call& call);

}  // namespace switchyard::mutated_inputs
