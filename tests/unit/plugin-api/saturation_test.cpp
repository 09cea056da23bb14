#include "switchyard/plugin/saturation.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sy {
namespace {

TEST(PluginSaturation, IsExactWhereANumberHoldsTheResult) {
  EXPECT_EQ(saturated_add(INT64_MAX, INT64_MIN), -1);
  EXPECT_EQ(saturated_subtract(-1, INT64_MAX), INT64_MIN);
  EXPECT_EQ(saturated_multiply(INT64_MIN, 1), INT64_MIN);
  EXPECT_EQ(saturated_multiply(0, INT64_MIN), 0);
}

TEST(PluginSaturation, StaysAtTheEndWhereNoneDoes) {
  EXPECT_EQ(saturated_add(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(saturated_add(INT64_MIN, -1), INT64_MIN);
  EXPECT_EQ(saturated_subtract(0, INT64_MIN), INT64_MAX);
  EXPECT_EQ(saturated_subtract(-2, INT64_MAX), INT64_MIN);
  EXPECT_EQ(saturated_multiply(INT64_MIN, -1), INT64_MAX);
  EXPECT_EQ(saturated_multiply(INT64_MAX, 2), INT64_MAX);
  EXPECT_EQ(saturated_multiply(INT64_MAX, -2), INT64_MIN);
}

}  // namespace
}  // namespace sy
