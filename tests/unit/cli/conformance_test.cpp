// What `switchyard conform` makes of the results of its cases.
#include "cli/conform/report/conformance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace switchyard::cli::conform {
namespace {

CaseResult result(const char* name, CaseStatus status, std::uint64_t device_work,
                  std::uint64_t kernel_runs) {
  CaseResult made;
  made.name = name;
  made.status = status;
  made.device_work = device_work;
  made.kernel_runs = kernel_runs;
  return made;
}

Conformance judged(std::vector<CaseResult> results) {
  Conformance conformance;
  conformance.results = std::move(results);
  judge(conformance);
  return conformance;
}

TEST(Conformance, IsThatOfADeviceThatHasRunItsOps) {
  const Conformance conformance =
      judged({result("loading/loads", CaseStatus::passed, 0, 0),
              result("copies/strided", CaseStatus::passed, 10, 0),
              result("kernels/Add/example", CaseStatus::passed, 3, 1),
              result("kernels/Add/scalars", CaseStatus::skipped, 0, 0)});
  EXPECT_TRUE(conformance.conforms());
  EXPECT_EQ(conformance.count(CaseStatus::passed), 3u);
}

TEST(Conformance, IsNotThatOfNoCases) {
  EXPECT_THAT(judged({}).errors, testing::ElementsAre(testing::StartsWith("no case of that name")));
}

TEST(Conformance, IsNotThatOfADeviceThatHasRunNothing) {
  const Conformance conformance = judged({result("loading/loads", CaseStatus::passed, 0, 0),
                                          result("copies/strided", CaseStatus::skipped, 0, 0)});
  EXPECT_FALSE(conformance.conforms());
  EXPECT_THAT(conformance.errors, testing::ElementsAre(testing::HasSubstr("has run anything")));
}

TEST(Conformance, IsNotThatOfADeviceThatRefusesWhatItClaims) {
  const Conformance conformance =
      judged({result("copies/strided", CaseStatus::passed, 10, 0),
              result("kernels/Add/example", CaseStatus::skipped, 2, 0)});
  EXPECT_THAT(conformance.errors, testing::ElementsAre(testing::HasSubstr("none of the ops")));
}

TEST(Conformance, OfCopiesAloneNeedsNoOps) {
  EXPECT_TRUE(judged({result("copies/strided", CaseStatus::passed, 10, 0)}).conforms());
}

TEST(Conformance, OneFailureEndsIt) {
  for (const CaseStatus status : {CaseStatus::failed, CaseStatus::crashed, CaseStatus::hung}) {
    EXPECT_FALSE(judged({result("kernels/Add/example", CaseStatus::passed, 3, 1),
                         result("kernels/Add/large", status, 3, 1)})
                     .conforms());
  }
}

// A plugin's words are no lines of the report.
TEST(Conformance, AFailureIsOneLine) {
  CaseResult failed = result("kernels/Add/example", CaseStatus::failed, 0, 0);
  failed.reason = "no\n140 passed, 0 failed\x1b[2J";
  EXPECT_THAT(line_of(failed),
              testing::EndsWith("kernels/Add/example: no 140 passed, 0 failed?[2J\n"));
}

}  // namespace
}  // namespace switchyard::cli::conform
