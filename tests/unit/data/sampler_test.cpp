// Orders of examples, and their cut into batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(SamplerTest, OfASubsetVisitsIts) {
  const Numbers indices{7, 3, 3, 100};
  Numbers order = SubsetRandomSampler(indices, 2).order(1);
  EXPECT_EQ(order, SubsetRandomSampler(indices, 2).order(1));
  std::sort(order.begin(), order.end());
  EXPECT_THAT(order, ElementsAre(3, 3, 7, 100));
  EXPECT_TRUE(SubsetRandomSampler({}).order(0).empty());
  const Numbers counting = SequentialSampler(50).order(0);
  EXPECT_EQ(SubsetRandomSampler(counting, 5).order(3), RandomSampler(50, 5).order(3));
}

TEST(SamplerTest, ByWeightsDrawsAsTheySay) {
  const WeightedRandomSampler sampler({1, 0, 3, 0, 4, 0}, 80000);
  std::map<std::int64_t, int> counts;
  for (const std::int64_t number : sampler.order(0)) ++counts[number];
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_NEAR(counts[0], 10000, 500);  // five deviations
  EXPECT_NEAR(counts[2], 30000, 700);
  EXPECT_NEAR(counts[4], 40000, 750);
  EXPECT_EQ(sampler.order(1), sampler.order(1));
  EXPECT_NE(sampler.order(1), sampler.order(2));
}

TEST(SamplerTest, ByWeightsWithoutReplacementDrawsEachOnce) {
  Numbers order = WeightedRandomSampler({1, 0, 1e-300, 5, 1e300}, 4, false).order(0);
  EXPECT_EQ(order.front(), 4);
  std::sort(order.begin(), order.end());
  EXPECT_THAT(order, ElementsAre(0, 2, 3, 4));
  // The first is drawn by the weights, the second by those that are left.
  std::map<Numbers, int> counts;
  const WeightedRandomSampler pairs({1, 2, 1}, 2, false, 3);
  for (std::uint64_t epoch = 0; epoch < 12000; ++epoch) ++counts[pairs.order(epoch)];
  EXPECT_NEAR((counts[{0, 1}]), 2000, 250);
  EXPECT_NEAR((counts[{0, 2}]), 1000, 200);
  EXPECT_NEAR((counts[{1, 0}]), 3000, 300);
}

// As RandomIsTheSameOnEveryMachine.
TEST(SamplerTest, ByWeightsIsTheSameOnEveryMachine) {
  EXPECT_THAT(WeightedRandomSampler({1, 2, 3, 4}, 8).order(0), ElementsAre(3, 2, 0, 3, 1, 2, 1, 3));
  EXPECT_THAT(WeightedRandomSampler({1, 2, 3, 4}, 4, false, 42).order(3), ElementsAre(3, 0, 2, 1));
}

TEST(SamplerTest, ByWeightsRefusesThoseThatMakeNoSense) {
  const auto refusal = [](std::vector<double> weights, std::int64_t count, bool replacement) {
    return error_line([&] { WeightedRandomSampler(std::move(weights), count, replacement); });
  };
  EXPECT_THAT(refusal({1, -1}, 1, true), HasSubstr("weight 1 is -1"));
  EXPECT_THAT(refusal({NAN}, 1, true), HasSubstr("weight 0 is nan"));
  EXPECT_THAT(refusal({INFINITY}, 1, true), HasSubstr("weight 0 is inf"));
  EXPECT_THAT(refusal({1e308, 1e308}, 1, true), HasSubstr("the sum of the weights is infinite"));
  EXPECT_THAT(refusal({1}, 0, true), HasSubstr("0 samples; say 1 or more"));
  EXPECT_THAT(refusal({}, 1, true), HasSubstr("no weight is above 0"));
  EXPECT_THAT(refusal({0, 0}, 1, true), HasSubstr("no weight is above 0"));
  EXPECT_THAT(refusal({1, 0, 1}, 3, false), HasSubstr("of 2 weights above 0"));
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
