// Offsets of intermediates: apart while they live, aligned, and no more room than needed.
#include "programs/placement.hpp"

#include <gtest/gtest.h>

#include <random>

#include "programs/precedence.hpp"

namespace mps {
namespace {

bool meet(uint64_t a, uint64_t a_end, uint64_t b, uint64_t b_end) { return a < b_end && b < a_end; }

void expect_apart(const std::vector<Lifetime>& all, const Placement& placement,
                  uint64_t alignment) {
  ASSERT_EQ(placement.offsets.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(placement.offsets[i] % alignment, 0u);
    EXPECT_LE(placement.offsets[i] + all[i].bytes, placement.bytes);
    for (size_t k = 0; k < i; ++k) {
      if (!meet(all[i].first, all[i].last + 1, all[k].first, all[k].last + 1)) continue;
      EXPECT_FALSE(meet(placement.offsets[i], placement.offsets[i] + all[i].bytes,
                        placement.offsets[k], placement.offsets[k] + all[k].bytes))
          << i << " and " << k;
    }
  }
}

TEST(Placement, WhatLivesAtTheSameTimeIsApart) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Lifetime> all(random() % 30);
    for (Lifetime& lifetime : all) {
      lifetime.first = random() % 20;
      lifetime.last = lifetime.first + random() % 6;
      lifetime.bytes = random() % 3000;
    }
    const uint64_t alignment = 256u << (round % 3);
    expect_apart(all, place(all, alignment), alignment);
  }
}

TEST(Placement, AnEntryReadsWhileItWrites) {
  const std::vector<Lifetime> line = {{0, 1, 100}, {1, 2, 100}, {2, 3, 100}};
  const Placement placement = place(line, 256);
  EXPECT_EQ(placement.bytes, 512u);
  expect_apart(line, placement, 256);
}

TEST(Placement, TheSameRoomServesOneAfterTheOther) {
  std::vector<Lifetime> line;
  for (uint32_t i = 0; i < 50; ++i) line.push_back({2 * i, 2 * i + 1, 1000});
  EXPECT_EQ(place(line, 256).bytes, 1024u);
  EXPECT_EQ(place({}, 256).bytes, 0u);
}

// Against reachability in a graph that is walked.
TEST(Precedence, JoinsStayFreeOfCycles) {
  Precedence diamond(4);  // 0 before 1 and 2, both before 3
  diamond.add(0, 1);
  diamond.add(0, 2);
  diamond.add(1, 3);
  diamond.add(2, 3);
  EXPECT_TRUE(diamond.is_before(0, 3));
  EXPECT_FALSE(diamond.is_before(1, 2));
  EXPECT_TRUE(diamond.has_between(0, 3));
  EXPECT_TRUE(diamond.has_between(3, 0));
  EXPECT_FALSE(diamond.has_between(0, 1));
  EXPECT_FALSE(diamond.has_between(1, 2));
  diamond.join(0, 1);
  EXPECT_TRUE(diamond.is_before(0, 2));
  EXPECT_TRUE(diamond.is_before(0, 3));
  EXPECT_FALSE(diamond.is_before(1, 3));
  EXPECT_TRUE(diamond.has_between(0, 3));
  diamond.join(0, 2);
  EXPECT_FALSE(diamond.has_between(0, 3));
}

TEST(Precedence, IsCompleteWhateverTheOrder) {
  Precedence line(130);
  for (size_t i = 129; i-- > 0;) line.add(i, i + 1);
  for (size_t i = 0; i < 130; ++i) {
    for (size_t k = 0; k < 130; ++k) EXPECT_EQ(line.is_before(i, k), i < k);
  }
  line.join(10, 11);
  EXPECT_TRUE(line.is_before(10, 12));
  EXPECT_TRUE(line.is_before(9, 10));
  EXPECT_FALSE(line.has_between(10, 12));
  EXPECT_TRUE(line.has_between(9, 12));
}

}  // namespace
}  // namespace mps
