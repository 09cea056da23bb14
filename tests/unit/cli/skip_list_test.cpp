// The list of what may be skipped excuses refusals only, and cannot rot.
#include "cli/verify/skip_list.hpp"

#include <gtest/gtest.h>

#include <switchyard/error.hpp>

namespace switchyard::cli {
namespace {

constexpr char kList[] =
    "# what and why\n"
    "\n"
    "case test_a*: no such thing   # a comment\n"
    "StringNormalizer: text stays with the host\n";

CaseResult skipped(const std::string& name) { return {name, CaseStatus::skip, "refused", 0, {}}; }

TEST(SkipList, ExplainsASkip) {
  SkipList list = SkipList::parse(kList, "skips");
  CaseResult result = skipped("test_abc");
  list.judge(result);
  EXPECT_EQ(result.status, CaseStatus::skip);
  EXPECT_EQ(result.reason, "no such thing (refused)");
}

TEST(SkipList, MakesOtherSkipsFail) {
  SkipList list = SkipList::parse(kList, "skips");
  CaseResult result = skipped("test_b");
  list.judge(result);
  EXPECT_EQ(result.status, CaseStatus::fail);
  EXPECT_EQ(result.reason, "is skipped, which skips does not explain: refused");
}

TEST(SkipList, ExcusesNoWrongResult) {
  SkipList list = SkipList::parse(kList, "skips");
  CaseResult failed = {"test_abc", CaseStatus::fail, "wrong", 1, {}};
  list.judge(failed);
  EXPECT_EQ(failed.status, CaseStatus::fail);
  CaseResult passed = {"test_abc", CaseStatus::pass, "", 0, {}};
  list.judge(passed);
  EXPECT_EQ(passed.status, CaseStatus::pass);
  EXPECT_EQ(list.unused().size(), 2u);
}

TEST(SkipList, TellsWhatItHoldsInVain) {
  SkipList list = SkipList::parse(kList, "skips");
  CaseResult result = skipped("test_abc");
  list.judge(result);
  EXPECT_EQ(list.unused(), std::vector<std::string>{
                               "skips:4: nothing is skipped for StringNormalizer; drop the line"});
}

TEST(SkipList, RefusesLinesWithoutAReason) {
  for (const char* text : {"Relu", "Relu:", ": reason", "Relu:reason"}) {
    try {
      SkipList::parse(std::string("# first\n") + text, "skips");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::invalid_argument);
      EXPECT_EQ(std::string(error.what()), "skips:2: write `OP: reason` or `case PATTERN: reason`");
    }
  }
}

TEST(SkipList, AStarStandsForAnyCharacters) {
  EXPECT_TRUE(fits_pattern("test_relu", "test_relu"));
  EXPECT_TRUE(fits_pattern("test_relu", "test_*"));
  EXPECT_TRUE(fits_pattern("test_relu", "*relu"));
  EXPECT_TRUE(fits_pattern("test_relu", "*e*u*"));
  EXPECT_TRUE(fits_pattern("", "*"));
  EXPECT_FALSE(fits_pattern("test_relu", "test_rel"));
  EXPECT_FALSE(fits_pattern("test_relu", "relu*"));
  EXPECT_FALSE(fits_pattern("test_relu", "*elf*"));
  EXPECT_FALSE(fits_pattern("test", "test_*"));
}

}  // namespace
}  // namespace switchyard::cli
