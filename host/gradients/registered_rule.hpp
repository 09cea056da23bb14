#pragma once

#include "autograd/rule_row.hpp"

namespace switchyard {

/// The row of a registered op. Any thread may ask.
const RuleRow& registered_rule(const Op& op);

}  // namespace switchyard
