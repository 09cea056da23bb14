// Random numbers: those of Philox 4x32-10 as switchyard-ops.md defines them, on every device.
#include <gmock/gmock.h>

#include <algorithm>
#include <limits>
#include <set>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <thread>

#include "functions/thrown.hpp"
#include "functions/values.hpp"

namespace switchyard {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pointwise;

MATCHER(IsNear, "") { return std::abs(std::get<0>(arg) - std::get<1>(arg)) < 1e-5; }

/// The devices of the configuration that can be used.
std::vector<Device> devices() {
  std::vector<Device> result;
  for (const PluginInfo& plugin : current_runtime().plugins()) {
    if (plugin.available) result.push_back(Device(plugin.name));
  }
  return result;
}

// Computed from the definition, by another program.
TEST(Random, IsPhiloxOnEveryDevice) {
  for (const Device& device : devices()) {
    SCOPED_TRACE(device.name());
    const TensorOptions there{.device = device};
    manual_seed(42);
    EXPECT_THAT(values(rand({6}, there)),
                ElementsAre(0.6129598617553711, 0.4685865044593811, 0.07323169708251953,
                            0.3408614993095398, 0.9877186417579651, 0.32706332206726074));
    EXPECT_EQ(random_state().offset, 3u);
    manual_seed(42);
    EXPECT_THAT(values(rand({2, 2}, {.device = device, .dtype = DType::float64})),
                ElementsAre(0.4685865183391049, 0.34086154938517876, 0.32706338120338474,
                            0.4543156017348883));
    manual_seed(42);
    const std::vector<double> normal{-0.6076510539335191, 0.9461447819697152, -0.8536440633116089,
                                     0.2519922121066046, 0.21637628796618585};
    EXPECT_THAT(values(randn({5}, there)), Pointwise(IsNear(), normal));
    EXPECT_THAT(values(rand({2}, there)), ElementsAre(0.7295992374420166, 0.6706398129463196))
        << "goes on after three blocks";
    manual_seed(42);
    EXPECT_THAT(values(randint(-5, 10, {8}, there)), ElementsAre(2, 0, -1, 1, 4, 6, 5, 0));
    EXPECT_EQ(rand({2}, there).device(), device);
  }
}

TEST(Random, HugeRangesOfIntegersAreExact) {
  manual_seed(42);
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_THAT(randint(least, most, {4}).to_vector<std::int64_t>(),
              ElementsAre(-579476456662699950, -2935586270778273620, -3190117547913830106,
                          -842728402957936019));
}

TEST(Random, SeedsAndStatesBringTheSameNumbersAgain) {
  manual_seed(7);
  const Tensor first = rand({5}), second = rand({5});
  EXPECT_FALSE(equal(first, second));
  manual_seed(7);
  EXPECT_TRUE(equal(rand({5}), first));
  const RandomState state = random_state();
  EXPECT_EQ(state.seed, 7u);
  EXPECT_TRUE(equal(rand({5}), second));
  set_random_state(state);
  EXPECT_TRUE(equal(rand({5}), second));
  manual_seed(8);
  EXPECT_FALSE(equal(rand({5}), first));
  manual_seed(std::numeric_limits<std::uint64_t>::max());
  const Tensor last = rand({5});
  manual_seed(std::numeric_limits<std::uint64_t>::max());
  EXPECT_TRUE(equal(rand({5}), last));
}

TEST(Random, UniformNumbersLieInTheirRange) {
  manual_seed(1);
  for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
    const Tensor x = rand({20000}, {.dtype = dtype});
    EXPECT_EQ(x.dtype(), dtype);
    EXPECT_GE(min(x).item(), 0) << name_of(dtype);
    EXPECT_LT(max(x).item(), 1) << name_of(dtype);
    const Tensor wide = x.to(DType::float32);
    EXPECT_NEAR(mean(wide).item(), 0.5, 0.01) << name_of(dtype);
    EXPECT_NEAR(var(wide).item(), 1. / 12, 0.003) << name_of(dtype);
  }
}

TEST(Random, NormalNumbersHaveTheirMoments) {
  manual_seed(2);
  for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
    const Tensor x = randn({40000}, {.dtype = dtype}).to(DType::float32);
    EXPECT_NEAR(mean(x).item(), 0, 0.02) << name_of(dtype);
    EXPECT_NEAR(var(x).item(), 1, 0.03) << name_of(dtype);
    EXPECT_NEAR(mean(x * x * x).item(), 0, 0.06) << name_of(dtype);
    EXPECT_NEAR(mean(square(square(x))).item(), 3, 0.15) << name_of(dtype);
    EXPECT_TRUE(all(isfinite(x)).item<bool>());
  }
}

TEST(Random, IntegersLieInTheirRange) {
  manual_seed(3);
  const std::vector<std::int64_t> drawn = randint(-3, 4, {7000}).to_vector<std::int64_t>();
  for (std::int64_t value = -3; value < 4; ++value) {
    EXPECT_NEAR(std::count(drawn.begin(), drawn.end(), value), 1000, 150) << value;
  }
  EXPECT_EQ(std::set(drawn.begin(), drawn.end()).size(), 7u);
  EXPECT_EQ(randint(0, 5, {2}).dtype(), DType::int64);
  EXPECT_EQ(randint(0, 5, {2}, {.dtype = DType::float16}).dtype(), DType::float16);
  EXPECT_THAT(values(randint(255, 256, {3}, {.dtype = DType::uint8})), Each(255));
  EXPECT_THAT(values(randint(-128, -127, {3}, {.dtype = DType::int8})), Each(-128));
  EXPECT_THAT(thrown([] { randint(3, 3, {1}); }), HasSubstr("[randint] no integer lies in [3, 3)"));
  EXPECT_THAT(thrown([] { randint(0, 300, {1}, {.dtype = DType::uint8}); }),
              HasSubstr("[randint]"));
  EXPECT_THAT(thrown([] { randint(-1, 3, {1}, {.dtype = DType::uint8}); }), HasSubstr("[randint]"));
}

TEST(Random, PermutationsHaveEveryNumberOnce) {
  manual_seed(4);
  const std::vector<double> order = values(randperm(100));
  EXPECT_EQ(std::set(order.begin(), order.end()).size(), 100u);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(*std::min_element(order.begin(), order.end()), 0);
  EXPECT_EQ(*std::max_element(order.begin(), order.end()), 99);
  EXPECT_EQ(randperm(0).shape(), (Dims{0}));
  EXPECT_EQ(randperm(1).item(), 0);
}

TEST(Random, BernoulliFollowsItsProbabilities) {
  manual_seed(5);
  for (const DType dtype : {DType::float32, DType::float16, DType::bfloat16}) {
    const Tensor p = tensor({0., 0.25, 1.}, {.dtype = dtype}).expand({20000, 3});
    const Tensor drawn = bernoulli(p);
    EXPECT_EQ(drawn.dtype(), dtype);
    const Tensor shares = mean(drawn.to(DType::float32), 0);
    EXPECT_EQ(shares[0].item(), 0) << name_of(dtype);
    EXPECT_NEAR(shares[1].item(), 0.25, 0.015) << name_of(dtype);
    EXPECT_EQ(shares[2].item(), 1) << name_of(dtype) << ": always";
  }
  EXPECT_THAT(thrown([] { bernoulli(tensor({0, 1})); }), HasSubstr("[bernoulli]"));
}

TEST(Random, MultinomialFollowsItsWeights) {
  manual_seed(7);
  for (const DType dtype : {DType::float32, DType::float64, DType::float16, DType::bfloat16}) {
    const Tensor weights = tensor({{0., 1., 3., 0., 4.}, {5., 0., 0., 0., 0.}}, {.dtype = dtype});
    const Tensor drawn = multinomial(weights, 20000, true);
    ASSERT_EQ(drawn.dtype(), DType::int64);
    ASSERT_EQ(drawn.shape(), (Dims{2, 20000}));
    const Tensor shares = one_hot(drawn, 5).to(DType::float32).mean(1);
    EXPECT_EQ(shares[0][0].item(), 0) << name_of(dtype) << ": never";
    EXPECT_NEAR(shares[0][1].item(), 0.125, 0.01) << name_of(dtype);
    EXPECT_NEAR(shares[0][2].item(), 0.375, 0.015) << name_of(dtype);
    EXPECT_EQ(shares[0][3].item(), 0) << name_of(dtype);
    EXPECT_NEAR(shares[0][4].item(), 0.5, 0.015) << name_of(dtype);
    EXPECT_EQ(shares[1][0].item(), 1) << name_of(dtype) << ": always";
  }
}

TEST(Random, MultinomialWithoutReplacementTakesEachOnce) {
  manual_seed(8);
  const Tensor weights = tensor({1e-30, 0., 2e-30, 1e-30}).expand({4000, 4});
  const Tensor drawn = multinomial(weights, 3);
  EXPECT_EQ(drawn.shape(), (Dims{4000, 3}));
  const Tensor counts = one_hot(drawn, 4).sum(1);
  EXPECT_TRUE((counts == tensor({1, 0, 1, 1})).all().item<bool>());
  const Tensor first = one_hot(drawn.select(1, 0), 4).to(DType::float32).mean(0);
  EXPECT_NEAR(first[2].item(), 0.5, 0.03) << "in the order in which they were drawn";
  EXPECT_NEAR(first[0].item(), 0.25, 0.03);
  EXPECT_EQ(multinomial(tensor({0., 1.}), 1).shape(), (Dims{1}));
  EXPECT_EQ(multinomial(tensor({0., 1.}), 1).item(), 1);
}

TEST(Random, MultinomialRefusesWeightsThatAreNone) {
  EXPECT_THAT(thrown([] { multinomial(tensor({1., -1.}), 1); }), HasSubstr("weight 1 is -1"));
  EXPECT_THAT(thrown([] { multinomial(tensor({1., INFINITY}), 1); }), HasSubstr("weight 1 is inf"));
  EXPECT_THAT(thrown([] {
                multinomial(tensor({{1., 0.}, {0., 0.}}), 1, true);
              }),
              HasSubstr("row 1 has 0 weights above 0"));
  EXPECT_THAT(thrown([] {
                multinomial(tensor({1., 0.}), 2);
              }),
              HasSubstr("row 0 has 1 weights above 0, but 2 indices"));
  EXPECT_THAT(thrown([] { multinomial(tensor({1, 2}), 1); }), HasSubstr("[multinomial]"));
  EXPECT_THAT(thrown([] { multinomial(tensor({1.}), 0); }), HasSubstr("[multinomial]"));
  EXPECT_THAT(thrown([] { multinomial(zeros({2, 2, 2}), 1); }), HasSubstr("[multinomial]"));
}

TEST(Random, EmptyDrawsChangeNothing) {
  manual_seed(6);
  EXPECT_EQ(rand({0, 3}).shape(), (Dims{0, 3}));
  EXPECT_EQ(randn({0}).size(), 0);
  EXPECT_EQ(random_state().offset, 0u);
  EXPECT_THAT(thrown([] { rand({2}, {.dtype = DType::int64}); }), HasSubstr("int64"));
}

TEST(Random, ThreadsNeverDrawTheSameBlocks) {
  manual_seed(9);
  constexpr int kThreads = 4, kDraws = 50;
  std::vector<std::vector<double>> drawn(kThreads);
  std::vector<std::thread> threads;
  for (std::vector<double>& mine : drawn) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < kDraws; ++i) {
        for (const double value : values(rand({4}, {.dtype = DType::float64})))
          mine.push_back(value);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<double> different;
  for (const std::vector<double>& mine : drawn) different.insert(mine.begin(), mine.end());
  EXPECT_EQ(different.size(), std::size_t{kThreads * kDraws * 4});
  EXPECT_EQ(random_state().offset, std::uint64_t{kThreads * kDraws * 2});
  manual_seed(9);
  const std::vector<double> alone =
      values(rand({kThreads * kDraws * 4}, {.dtype = DType::float64}));
  EXPECT_EQ(std::set(alone.begin(), alone.end()), different) << "one stream, shared out";
}

}  // namespace
}  // namespace switchyard
