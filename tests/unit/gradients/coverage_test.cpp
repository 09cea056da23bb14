// Every op that functions may call has a gradient rule, or a word in its place.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "gradients/rules.hpp"
#include "ops/row.hpp"

namespace switchyard {
namespace {

std::string name_of(const Op& op) {
  const std::string domain(op.row->domain);
  return (domain.empty() ? "" : domain + ".") + std::string(op.name());
}

TEST(GradientCoverage, EveryOpHasARuleOrAWord) {
  std::string missing;
  for (const Op& op : all_ops()) {
    if (op.row->runs_on == RunsOn::control || op.row->runs_on == RunsOn::body) continue;
    if (!rule_of(op)) missing += " " + name_of(op);
  }
  EXPECT_EQ(missing, "");
}

/// A row whose op does not exist would be passed over.
TEST(GradientCoverage, EveryRowNamesAnOp) {
  for (const RuleFamily family : rule_families()) {
    for (const RuleRow& row : family()) {
      EXPECT_NE(find_op(row.domain, row.op), nullptr) << row.op;
    }
  }
}

TEST(GradientCoverage, NoOpHasTwoRows) {
  std::map<std::string, int> rows;
  for (const RuleFamily family : rule_families()) {
    for (const RuleRow& row : family()) ++rows[std::string(row.domain) + "." + std::string(row.op)];
  }
  for (const auto& [op, count] : rows) EXPECT_EQ(count, 1) << op;
}

/// What a rule reads must be there: an input or output of the op.
TEST(GradientCoverage, RulesReadWhatTheOpHas) {
  for (const Op& op : all_ops()) {
    const RuleRow* row = rule_of(op);
    if (!row || !row->rule) continue;
    const auto& inputs = op.canonical.inputs;
    const bool open = !inputs.empty() && inputs.back().variadic;
    if (row->inputs != kAll && !open) {
      EXPECT_EQ(row->inputs >> inputs.size(), 0U) << name_of(op);
    }
    const bool many = !op.canonical.outputs.empty() && op.canonical.outputs.back().variadic;
    if (row->outputs != kAll && !many) {
      EXPECT_EQ(row->outputs >> op.canonical.outputs.size(), 0U) << name_of(op);
    }
  }
}

}  // namespace
}  // namespace switchyard
