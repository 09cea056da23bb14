#pragma once

#include "gradients/rule.hpp"

namespace switchyard {

/// The rows of ScatterElements and ScatterND with a reduction that multiplies, or takes the least
/// or the greatest; null for others.
const RuleRow* joining_scatter_row(const Attributes& attributes);
const RuleRow* joining_scatter_nd_row(const Attributes& attributes);

}  // namespace switchyard
