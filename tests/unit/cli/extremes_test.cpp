// The smallest, the largest and the mean of elements.
#include "cli/values/extremes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace switchyard::cli {
namespace {

TEST(ExtremesTest, ExtremesLeaveNanOutButTheMeanDoesNot) {
  const Extremes extremes = extremes_of({1, std::nan(""), -3});
  EXPECT_EQ(extremes.smallest, -3);
  EXPECT_EQ(extremes.largest, 1);
  EXPECT_TRUE(std::isnan(extremes.mean));
  EXPECT_EQ(extremes_of({2, 4}).mean, 3);
  EXPECT_FALSE(extremes.has_none());
  EXPECT_TRUE(extremes_of({std::nan(""), std::nan("")}).has_none());
  EXPECT_FALSE(extremes_of({-INFINITY, std::nan("")}).has_none());
}

}  // namespace
}  // namespace switchyard::cli
