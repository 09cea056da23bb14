#include "gradients/rules.hpp"

#include <vector>

#include "gradients/registered_rule.hpp"

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
#define RULES(name) name##_rules,
#include "gradients/rules.def"
#undef RULES
  };
  return kFamilies;
}

const RuleRow* rule_of(const Op& op) {
  static const auto& table = *new std::vector<const RuleRow*>(make_table());
  return op.registered ? &registered_rule(op) : table[op.id];
}

const RuleRow* rule_of(const Op& op, const Attributes& attributes) {
  const RuleRow* row = rule_of(op);
  const RuleRow* other = row && row->other ? row->other(attributes) : nullptr;
  return other ? other : row;
}

}  // namespace switchyard
