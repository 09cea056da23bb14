#include "gradients/rules.hpp"

#include <vector>

namespace switchyard {
namespace {

void add(std::vector<const RuleRow*>& table, std::span<const RuleRow> rows) {
  for (const RuleRow& row : rows) {
    if (const Op* op = find_op(row.domain, row.op)) table[op->id] = &row;
  }
}

std::vector<const RuleRow*> make_table() {
  std::vector<const RuleRow*> table(all_ops().size(), nullptr);
  for (const RuleFamily family : rule_families()) {
    add(table, family());
  }
  return table;
}

}  // namespace

std::span<const RuleFamily> rule_families() {
  static constexpr RuleFamily kFamilies[] = {
      arithmetic_rules,     unary_rules,       view_rules,        reduction_rules,
      gathering_rules,      movement_rules,    sorting_rules,     linear_rules,
      activation_rules,     convolution_rules, pooling_rules,     normalization_rules,
      image_rules,          resize_rules,      loss_rules,        einsum_rules,
      determinant_rules,    signal_rules,      grid_sample_rules, deformed_convolution_rules,
      region_rules,         recurrent_rules,   dropout_rules,     quantization_rules,
      optimizer_step_rules, rules_of_none,     attention_rules,   token_state_rules};
  return kFamilies;
}

const RuleRow* rule_of(const Op& op) {
  static const auto& table = *new std::vector<const RuleRow*>(make_table());
  return table[op.id];
}

const RuleRow* rule_of(const Op& op, const Attributes& attributes) {
  const RuleRow* row = rule_of(op);
  const RuleRow* other = row && row->other ? row->other(attributes) : nullptr;
  return other ? other : row;
}

}  // namespace switchyard
