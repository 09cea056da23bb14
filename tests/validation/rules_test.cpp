// Each rule of plugin.h, broken by a host that does so on purpose: the layer says which, and keeps
// the call from the plugin where it is asked to.
#include <set>

#include "case.hpp"
#include "rules.hpp"

namespace {

using layered::BrokenRule;
using layered::Case;
using layered::Plugin;

std::vector<BrokenRule> all_cases() {
  std::vector<BrokenRule> all;
  for (const auto& cases : {layered::cases_of_handles(), layered::cases_of_memory(),
                            layered::cases_of_work(), layered::cases_of_programs()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

class Rules : public testing::TestWithParam<BrokenRule> {};

TEST_P(Rules, IsReportedForItsOwnReason) {
  Plugin plugin(GetParam().plugin);
  {
    driver::Device device(plugin.host(), plugin.table());
    Case c{plugin, plugin.table(), device};
    GetParam().calls(c);
  }
  const std::vector<std::string> broken = plugin.broken_rules();
  EXPECT_EQ(broken, std::vector<std::string>{GetParam().rule})
      << layered::report_of(plugin.table());
}

INSTANTIATE_TEST_SUITE_P(Validation, Rules, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<BrokenRule>& info) {
                           return std::string(info.param.rule) + "_" + info.param.name;
                         });

TEST(Validation, BreaksEachRuleOnce) {
  std::set<std::string_view> broken;
  for (const BrokenRule& row : all_cases()) broken.insert(row.rule);
  EXPECT_EQ(broken, std::set<std::string_view>(validation::rule_names.begin(),
                                               validation::rule_names.end()));
}

}  // namespace
