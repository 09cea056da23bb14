// What doctor's child process finds, its parent shows.
#include "cli/doctor/findings.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/process/trial_child.hpp"

namespace switchyard::cli {
namespace {

std::string told_lines;

void remember(const Json& line) { told_lines += line.dump() + "\n"; }

TEST(Findings, ComeOutOfTheChildAsTheyWereFound) {
  told_lines = "loading the plugins\n";
  Findings in_child(remember);
  in_child.add(HealthCheck{"plugin a", "trust", Health::warn, "others can write it", "Run: chmod"});
  in_child.add(HealthCheck{"plugin b", "loading", Health::fail, "crashed", ""});
  in_child.add(Report{"plugin a", "3 runs\n"});
  in_child.add(Report{"plugin b", ""});
  in_child.end_with(Error(ErrorKind::plugin, "plugin 'b' is required"));

  Findings in_parent;
  for (const Json& line : json_lines(told_lines + "{cut")) in_parent.read_line(line);
  ASSERT_EQ(in_parent.checks().size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(to_json(in_parent.checks()[i]), to_json(in_child.checks()[i]));
  }
  ASSERT_EQ(in_parent.reports().size(), 1u) << "a report without text is none";
  EXPECT_EQ(in_parent.reports()[0].text, "3 runs\n");
  ASSERT_TRUE(in_parent.error());
  EXPECT_EQ(in_parent.error()->kind(), ErrorKind::plugin);
  EXPECT_STREQ(in_parent.error()->what(), "plugin 'b' is required");
  EXPECT_FALSE(in_parent.healthy());
}

}  // namespace
}  // namespace switchyard::cli
