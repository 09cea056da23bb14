#pragma once

#include <span>

#include "gradients/rule.hpp"

namespace switchyard {

// The rows of each family of rules; host/gradients/rules/ has a file for each.
std::span<const RuleRow> arithmetic_rules();
std::span<const RuleRow> unary_rules();
std::span<const RuleRow> view_rules();
std::span<const RuleRow> reduction_rules();
std::span<const RuleRow> gathering_rules();
std::span<const RuleRow> movement_rules();
std::span<const RuleRow> sorting_rules();
std::span<const RuleRow> linear_rules();
std::span<const RuleRow> activation_rules();
std::span<const RuleRow> convolution_rules();
std::span<const RuleRow> pooling_rules();
std::span<const RuleRow> normalization_rules();
std::span<const RuleRow> attention_rules();
std::span<const RuleRow> token_state_rules();
std::span<const RuleRow> image_rules();
std::span<const RuleRow> resize_rules();
std::span<const RuleRow> loss_rules();
std::span<const RuleRow> einsum_rules();
std::span<const RuleRow> determinant_rules();
std::span<const RuleRow> signal_rules();
std::span<const RuleRow> grid_sample_rules();
std::span<const RuleRow> deformed_convolution_rules();
std::span<const RuleRow> region_rules();
std::span<const RuleRow> recurrent_rules();
std::span<const RuleRow> dropout_rules();
std::span<const RuleRow> quantization_rules();
std::span<const RuleRow> optimizer_step_rules();
std::span<const RuleRow> rules_of_none();

/// All of them.
using RuleFamily = std::span<const RuleRow> (*)();
std::span<const RuleFamily> rule_families();

}  // namespace switchyard
