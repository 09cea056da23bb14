#pragma once

#include <span>

#include "gradients/rule.hpp"

namespace switchyard {

#define RULES(name) std::span<const RuleRow> name##_rules();
#include "gradients/rules.def"
#undef RULES

/// All that rules.def lists.
using RuleFamily = std::span<const RuleRow> (*)();
std::span<const RuleFamily> rule_families();

}  // namespace switchyard
