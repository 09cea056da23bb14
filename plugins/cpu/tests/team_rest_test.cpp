#include "team_rest.hpp"

#include <gtest/gtest.h>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(TeamRest, PromptRegionsNeedNone) {
  TeamRest rest;
  EXPECT_TRUE(rest.is_over());
  rest.note(microseconds(10), microseconds(90));
  EXPECT_TRUE(rest.is_over());
}

TEST(TeamRest, ALateOneMakesARest) {
  TeamRest rest;
  rest.note(microseconds(10), seconds(100));
  EXPECT_FALSE(rest.is_over());
}

TEST(TeamRest, ItEndsWhateverCameBefore) {
  TeamRest rest;
  for (int i = 0; i < 100; ++i) rest.note(microseconds(10), milliseconds(2));
  const auto end = TeamRest::Clock::now() + milliseconds(8);
  while (TeamRest::Clock::now() < end) {
  }
  EXPECT_TRUE(rest.is_over());
}

TEST(TeamRest, LongPiecesAreNotLateness) {
  TeamRest rest;
  for (int i = 0; i < 5; ++i) rest.note(milliseconds(40), milliseconds(30));
  EXPECT_TRUE(rest.is_over());
}

}  // namespace
}  // namespace cpu
