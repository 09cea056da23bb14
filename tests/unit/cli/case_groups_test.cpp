// Which cases of `switchyard conform` share a child process.
#include "cli/conform/process/case_groups.hpp"

#include <gtest/gtest.h>

namespace switchyard::cli::conform {
namespace {

std::vector<std::size_t> sizes_of_groups(const std::vector<ListedCase>& cases) {
  std::vector<std::size_t> sizes;
  for (const Cases group : groups_of(cases)) sizes.push_back(group.size());
  return sizes;
}

TEST(CaseGroups, CasesOfOneOpShareAChildAndOthersDoNot) {
  const std::vector<ListedCase> cases = {{"loading/loads", ""},
                                         {"loading/table", ""},
                                         {"memory/maps", ""},
                                         {"kernels/Add/example", ""},
                                         {"kernels/Add/twice", ""},
                                         {"kernels/AddMore/example", ""},
                                         {"kernels/switchyard.Sort/large", ""}};
  EXPECT_EQ(sizes_of_groups(cases), (std::vector<std::size_t>{1, 1, 1, 2, 1, 1}));
}

TEST(CaseGroups, OfNoCasesThereAreNone) { EXPECT_TRUE(groups_of({}).empty()); }

}  // namespace
}  // namespace switchyard::cli::conform
