// Orders of examples, and their cut into batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <switchyard/data.hpp>
#include <switchyard/error.hpp>

#include "io/error_line.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Numbers = std::vector<std::int64_t>;

TEST(SamplerTest, SequentialCounts) {
  EXPECT_THAT(SequentialSampler(4).order(7), ElementsAre(0, 1, 2, 3));
  EXPECT_TRUE(SequentialSampler(0).order(0).empty());
}

TEST(SamplerTest, OfMoreThanMemoryHoldsSaysSo) {
  try {
    static_cast<void>(SequentialSampler(std::int64_t{1} << 60).order(0));
    ADD_FAILURE() << "throws nothing";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::out_of_memory) << error.what();
  }
}

TEST(SamplerTest, RandomVisitsEachOnce) {
  for (const std::int64_t size : {0, 1, 2, 1000}) {
    Numbers order = RandomSampler(size, 3).order(0);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, SequentialSampler(size).order(0));
  }
}

// A change of these would make every saved training run go on in another order.
TEST(SamplerTest, RandomIsTheSameOnEveryMachine) {
  EXPECT_THAT(RandomSampler(8, 0).order(0), ElementsAre(2, 5, 0, 3, 4, 6, 1, 7));
  EXPECT_THAT(RandomSampler(8, 42).order(3), ElementsAre(3, 4, 6, 1, 0, 7, 5, 2));
}

TEST(SamplerTest, RandomDependsOnSeedAndEpoch) {
  const Numbers order = RandomSampler(100, 1).order(0);
  EXPECT_EQ(order, RandomSampler(100, 1).order(0));
  EXPECT_NE(order, RandomSampler(100, 1).order(1));
  EXPECT_NE(order, RandomSampler(100, 2).order(0));
  EXPECT_NE(RandomSampler(100, 1).order(1), RandomSampler(100, 2).order(0));
}

TEST(SamplerTest, RandomPrefersNoOrder) {
  std::map<Numbers, int> counts;
  for (std::uint64_t epoch = 0; epoch < 6000; ++epoch) ++counts[RandomSampler(3, 9).order(epoch)];
  ASSERT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);  // five deviations
}

TEST(SamplerTest, BatchesKeepOrDropTheLast) {
  const auto counting = std::make_shared<SequentialSampler>(5);
  EXPECT_THAT(BatchSampler(counting, 2).batches(0),
              ElementsAre(Numbers{0, 1}, Numbers{2, 3}, Numbers{4}));
  EXPECT_EQ(BatchSampler(counting, 2).size(), 3);
  EXPECT_THAT(BatchSampler(counting, 2, true).batches(0),
              ElementsAre(Numbers{0, 1}, Numbers{2, 3}));
  EXPECT_EQ(BatchSampler(counting, 2, true).size(), 2);
  EXPECT_EQ(BatchSampler(counting, 5, true).size(), 1);
  EXPECT_EQ(BatchSampler(counting, 9, true).size(), 0);
  EXPECT_EQ(BatchSampler(counting, 9).size(), 1);
  EXPECT_EQ(BatchSampler(counting, INT64_MAX).batches(0).size(), 1u);
}

TEST(SamplerTest, RefusesSizesThatMakeNoSense) {
  EXPECT_THAT(error_line([] { BatchSampler(std::make_shared<SequentialSampler>(5), 0); }),
              HasSubstr("a batch size of 0; say 1 or more"));
  EXPECT_THAT(error_line([] { RandomSampler(-1); }), HasSubstr("a sampler of -1 examples"));
}

}  // namespace
}  // namespace switchyard
