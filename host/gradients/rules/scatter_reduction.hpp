#pragma once

#include "gradients/rule.hpp"

namespace switchyard {

/// The rows of ScatterElements and ScatterND with a reduction that multiplies, or takes the least
/// or the greatest; null for others.
const RuleRow* scatter_reduction_row(const Attributes& attributes);
const RuleRow* scatter_reduction_nd_row(const Attributes& attributes);

}  // namespace switchyard
