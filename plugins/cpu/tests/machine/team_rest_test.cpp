#include "machine/team_rest.hpp"

#include <gtest/gtest.h>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Regions one after another, in a time of its own.
class Machine {
 public:
  // True if the team has worked; else the caller has, alone.
  bool region(TeamRest::Duration alone, TeamRest::Duration on_team) {
    const bool works = rest.is_over(now);
    now += works ? on_team : alone;
    if (works) rest.note(now, alone, on_team);
    return works;
  }

  TeamRest rest;
  TeamRest::Time now{seconds(1000)};
};

constexpr microseconds work{100};

void expect_steady(Machine& machine, TeamRest::Duration on_team) {
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(machine.region(work, on_team)) << i;
}

// Many short delays: none is long by itself.
void disturb(Machine& machine, milliseconds time) {
  for (const auto end = machine.now + time; machine.now < end;) {
    machine.region(work, microseconds(900));
  }
}

TEST(TeamRest, ATeamThatHelpsNeverRests) {
  Machine machine;
  expect_steady(machine, microseconds(60));
}

TEST(TeamRest, ATeamThatCostsNothingNeverRests) {
  Machine machine;
  expect_steady(machine, work);
}

TEST(TeamRest, WhatItGainsPaysForADelayNowAndThen) {
  Machine machine;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(machine.region(work, i % 100 == 99 ? milliseconds(3) : microseconds(55))) << i;
  }
}

TEST(TeamRest, ShortDelaysFromTheFirstRegionOnAddUpToARest) {
  Machine machine;
  int worked = 0;
  while (machine.region(work, microseconds(900))) ++worked;
  EXPECT_LT(worked, 7);
}

TEST(TeamRest, ATeamThatIsOfNoUseCostsLittle) {
  for (const TeamRest::Duration on_team :
       {microseconds(130), microseconds(300), microseconds(4000), microseconds(50'000)}) {
    Machine machine;
    const auto start = machine.now;
    constexpr int regions = 200'000;
    for (int i = 0; i < regions; ++i) machine.region(work, on_team);
    EXPECT_LT(machine.now - start, regions * work * 17 / 16) << on_team.count();
  }
}

TEST(TeamRest, ItIsCalledAgainWithinASecondAndStaysIfItHelps) {
  Machine machine;
  disturb(machine, seconds(60));
  const auto calm = machine.now;
  while (!machine.region(work, microseconds(60))) {
  }
  EXPECT_LE(machine.now - calm, seconds(1) + work);
  expect_steady(machine, microseconds(60));
}

TEST(TeamRest, RestsGrowWhileTriesFail) {
  Machine machine;
  disturb(machine, seconds(10));
  TeamRest::Duration lost{};
  for (const auto end = machine.now + seconds(10); machine.now < end;) {
    if (machine.region(work, microseconds(900))) lost += microseconds(800);
  }
  EXPECT_LT(lost, milliseconds(200));
}

TEST(TeamRest, OneLongDelayMakesNoLongRest) {
  Machine machine;
  machine.region(work, seconds(100));
  EXPECT_FALSE(machine.rest.is_over(machine.now + milliseconds(31)));
  EXPECT_TRUE(machine.rest.is_over(machine.now + milliseconds(32)));
}

TEST(TeamRest, LongDelaysNowAndThenCostLittleMoreThanThemselves) {
  for (const auto delay : {milliseconds(10), milliseconds(30), milliseconds(100)}) {
    Machine machine;
    TeamRest::Duration needed{};
    const auto start = machine.now;
    for (int i = 0; i < 100'000; ++i) {
      const TeamRest::Duration on_team =
          microseconds(12) + (i % 10'000 == 9999 ? delay : delay * 0);
      machine.region(work, on_team);
      needed += on_team;
    }
    EXPECT_LT(machine.now - start, needed * 5 / 4) << delay.count();
  }
}

TEST(TeamRest, SleepingThreadsMayTakeTheirTimeAfterALongRest) {
  Machine machine;
  disturb(machine, seconds(60));
  while (!machine.region(work, milliseconds(10))) {
  }
  expect_steady(machine, microseconds(12));
}

}  // namespace
}  // namespace cpu
