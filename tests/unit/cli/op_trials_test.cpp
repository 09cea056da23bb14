// Ops tried on a device beside another one.
#include "cli/doctor/op_trials.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/doctor/claimed_ops.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard::cli {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(OpTrials, TellRightFromRefusedAndUnknown) {
  const OpTrialResults results =
      try_ops({"Add", "Exp", "Relu", "NoSuchOp"}, start({{"good"}}), start({{"cpu"}}));
  EXPECT_THAT(results.right, ElementsAre("Add", "Relu"));
  EXPECT_THAT(results.refused, ElementsAre("Exp"));
  EXPECT_THAT(results.unknown, ElementsAre("NoSuchOp"));
  EXPECT_THAT(results.wrong, IsEmpty());
}

// Beside itself a device is right wherever a trial is one that it computes.
void expect_every_claimed_op_is_tried(const Runtime& runtime, const std::string& device) {
  const OpTrialResults results = try_ops(claimed_ops(runtime.device(device)), runtime, runtime);
  EXPECT_THAT(results.wrong, IsEmpty());
  EXPECT_THAT(results.refused, IsEmpty());
  EXPECT_THAT(results.unknown, IsEmpty());
  EXPECT_THAT(results.right, Not(IsEmpty()));
  for (const std::string& op : results.random) {
    EXPECT_THAT(op, AnyOf("Bernoulli", "Multinomial", StartsWith("Random")));
  }
}

TEST(OpTrials, KnowEveryOpThatADeviceClaims) {
  expect_every_claimed_op_is_tried(start({{"cpu"}}), "cpu:0");
#ifdef __linux__
  if (!std::filesystem::exists(plugin_library("mps"))) return;
  const std::string software = "[plugins.mps.options]\ndevice = \"software\"\n";
  expect_every_claimed_op_is_tried(start({{"mps"}, "", software, {"cpu"}}), "mps:0");
#endif
}

#ifdef __linux__
TEST(OpTrials, FindTheSoftwareMetalDeviceRight) {
  if (!std::filesystem::exists(plugin_library("mps"))) return;
  const Runtime mps =
      start({{"mps"}, "", "[plugins.mps.options]\ndevice = \"software\"\n", {"cpu"}});
  const OpTrialResults results = try_ops(claimed_ops(mps.device("mps:0")), mps, start({{"cpu"}}));
  EXPECT_THAT(results.wrong, IsEmpty());
  EXPECT_THAT(results.refused, IsEmpty());
}
#endif

TEST(OpTrials, FindADeviceThatComputesNothing) {
  const OpTrialResults results = try_ops({"Exp"}, start({{"null"}}), start({{"cpu"}}));
  EXPECT_THAT(results.right, IsEmpty());
  EXPECT_THAT(results.wrong, ElementsAre(StartsWith("Exp: element 0 is ")));
}

}  // namespace
}  // namespace switchyard::cli
