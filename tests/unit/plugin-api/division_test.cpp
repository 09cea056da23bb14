#include "switchyard/plugin/division.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace sy {
namespace {

TEST(PluginDivision, RoundsUpForAnyNumbers) {
  EXPECT_EQ(ceil_div(int64_t{7}, int64_t{3}), 3);
  EXPECT_EQ(ceil_div(int64_t{6}, int64_t{3}), 2);
  EXPECT_EQ(ceil_div(int64_t{0}, int64_t{3}), 0);
  EXPECT_EQ(ceil_div(int64_t{-7}, int64_t{3}), -2);
  EXPECT_EQ(ceil_div(int64_t{1}, INT64_MAX), 1);
  EXPECT_EQ(ceil_div(INT64_MAX, int64_t{2}), INT64_MAX / 2 + 1);
  EXPECT_EQ(ceil_div(UINT64_MAX, uint64_t{64}), UINT64_MAX / 64 + 1);
}

}  // namespace
}  // namespace sy
