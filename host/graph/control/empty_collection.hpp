#pragma once

#include <span>

#include "graph/control/control.hpp"
#include "ops/inference.hpp"

namespace switchyard::control {

/// The type of what a cell holds, as an input of a body.
ValueInfo type_of(const Cell& cell);

/// A tensor that collects nothing: what a body that never ran would have given as output `output`,
/// none of it, along a new axis `axis`. `inputs` are the types of the body's inputs, as far as they
/// are known; extents that the body alone could tell are 0.
TensorRef empty_collection(Execution& execution, const GraphPlan& body, const Frame& outer,
                           std::span<const ValueInfo> inputs, std::size_t output,
                           std::int64_t axis);

}  // namespace switchyard::control
