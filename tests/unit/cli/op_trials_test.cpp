// Ops tried on a device beside another one.
#include "cli/op_trials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/test_runtime.hpp"

namespace switchyard::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(OpTrials, TellRightFromRefusedAndUntried) {
  const OpTrialResults results =
      try_ops({"Add", "Exp", "Relu", "NoSuchOp"}, start({{"good"}}), start({{"cpu"}}));
  EXPECT_THAT(results.right, ElementsAre("Add", "Relu"));
  EXPECT_THAT(results.refused, ElementsAre("Exp"));
  EXPECT_THAT(results.untried, ElementsAre("NoSuchOp"));
  EXPECT_THAT(results.wrong, IsEmpty());
}

TEST(OpTrials, FindADeviceThatComputesNothing) {
  const OpTrialResults results = try_ops({"Exp"}, start({{"null"}}), start({{"cpu"}}));
  EXPECT_THAT(results.right, IsEmpty());
  EXPECT_THAT(results.wrong, ElementsAre(StartsWith("Exp: element 0 is ")));
}

}  // namespace
}  // namespace switchyard::cli
