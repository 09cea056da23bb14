#pragma once

#include <span>

#include "autograd/rule.hpp"

namespace switchyard {

// The rows of each family of rules; host/autograd/rules/ has a file for each.
std::span<const RuleRow> arithmetic_rules();
std::span<const RuleRow> unary_rules();
std::span<const RuleRow> view_rules();
std::span<const RuleRow> reduction_rules();
std::span<const RuleRow> linear_rules();
std::span<const RuleRow> activation_rules();
std::span<const RuleRow> rules_of_none();

}  // namespace switchyard
