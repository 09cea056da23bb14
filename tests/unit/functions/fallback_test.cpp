// Functions on a device that takes three ops: what falls back is counted, and copied back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/nn.hpp>
#include <switchyard/optim.hpp>

#include "test_folders.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::Pair;
using Counts = std::map<std::string, std::uint64_t>;

Runtime runtime_under(const std::string& config) {
  return Runtime::from_file(std::string(SWITCHYARD_BUILD_DIR) + "/config/" + config + ".toml");
}

Counts counts_of(const Runtime& runtime) {
  Counts counts;
  for (const FallbackInfo& fallback : runtime.fallbacks()) {
    EXPECT_EQ(fallback.from, "template:0");
    EXPECT_EQ(fallback.to, "cpu:0");
    counts[fallback.op] += fallback.count;
  }
  return counts;
}

TEST(Fallback, IsCountedForEachOpThatTheDeviceRefuses) {
  const Runtime runtime = runtime_under("third-party");
  const RuntimeScope scope(runtime);
  const Tensor x = full({4}, 2.0);
  Tensor y = relu(x + x) * x;
  EXPECT_THAT(counts_of(runtime), ElementsAre());
  for (int i = 0; i < 3; ++i) y = exp(y).log();
  EXPECT_EQ(y.device().name(), "template:0");
  EXPECT_THAT(counts_of(runtime), ElementsAre(Pair("Exp", 3), Pair("Log", 3)));
  runtime.reset_fallbacks();
  EXPECT_THAT(counts_of(runtime), ElementsAre());
}

/// A training step of a small network from one seed: its parameters afterwards.
std::vector<float> train_once() {
  manual_seed(7);
  nn::Sequential net(nn::Linear(6, 4), nn::ReLU(), nn::Linear(4, 2));
  optim::SGD optimizer(net.parameters(), {.lr = 0.1});
  const Tensor x = randn({5, 6}), y = randn({5, 2});
  mse_loss(net(x), y).backward();
  optimizer.step();
  std::vector<float> all;
  for (const Tensor& parameter : net.parameters()) {
    const std::vector<float> values = parameter.to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(Fallback, TrainsToTheSameParametersEverywhere) {
  std::vector<float> expected;
  {
    const Runtime alone = runtime_under("cpu-only");
    const RuntimeScope scope(alone);
    expected = train_once();
    EXPECT_TRUE(alone.fallbacks().empty());
  }
  const Runtime shared = runtime_under("third-party");
  const RuntimeScope scope(shared);
  const std::vector<float> given = train_once();
  ASSERT_EQ(given.size(), expected.size());
  for (std::size_t i = 0; i < given.size(); ++i) EXPECT_NEAR(given[i], expected[i], 1e-6F) << i;
  const Counts counts = counts_of(shared);
  for (const char* own : {"Add", "Mul", "Relu"}) EXPECT_EQ(counts.count(own), 0u) << own;
  EXPECT_EQ(counts.at("Gemm"), 2u);
  EXPECT_EQ(counts.at("SgdStep"), 4u);
  EXPECT_EQ(counts.at("PhiloxNormal"), 2u);
}

}  // namespace
}  // namespace switchyard
