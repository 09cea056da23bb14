// What a plugin does to the thread that calls it ends with the call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

TEST(Boundary, LoadingALibraryLeavesSubnormalNumbersAlone) {
  const volatile float subnormal = 1e-40F;
  const Runtime runtime = start({{"fast_math"}});
  EXPECT_NE(subnormal * 1.0F, 0.0F);
  runtime.operation("Relu")(floats({2}, {-1, 2}));
  EXPECT_NE(subnormal * 1.0F, 0.0F);
}

TEST(Boundary, ARunLeavesTheRoundingModeAlone) {
  const Runtime runtime = start({{"leaves_rounding"}});
  const Tensor made = runtime.operation("Relu")(floats({2}, {-1, 2}));
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_EQ(made.to_vector<float>(), (Floats{0, 2}));
}

TEST(Boundary, TheCallersOwnModeIsKept) {
  const Runtime runtime = start({{"leaves_rounding"}});
  std::fesetround(FE_DOWNWARD);
  runtime.operation("Relu")(floats({2}, {-1, 2}));
  EXPECT_EQ(std::fegetround(), FE_DOWNWARD);
  std::fesetround(FE_TONEAREST);
}

TEST(Boundary, AnExceptionIsTheDevicesFault) {
  const Runtime runtime = start({{"run_throws", "cpu"}});
  const Tensor moved = runtime.operation("Relu")(floats({2}, {-1, 2}));
  EXPECT_EQ(moved.device().name(), "cpu:0");
  EXPECT_THAT(runtime.fallbacks().at(0).reason,
              testing::HasSubstr("threw an exception, which no plugin may: the fake throws"));
}

}  // namespace
}  // namespace switchyard
