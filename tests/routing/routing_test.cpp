// One unchanged program, one real model, one line of TOML: where the ops go is the file's decision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <switchyard/switchyard.hpp>
#include <vector>

namespace switchyard {
namespace {

using Placement = std::map<std::string, std::uint64_t>;

/// What a run under a configuration comes to.
struct Outcome {
  std::vector<float> logits;
  RunReport report;
  std::vector<FallbackInfo> fallbacks;
};

Tensor pictures() {
  std::vector<float> pixels(3 * 28 * 28);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = 0.5f + 0.5f * std::sin(static_cast<float>(i) * 0.1f);
  }
  return Tensor::of<float>({3, 1, 28, 28}, pixels);
}

Outcome run(const Runtime& runtime) {
  const Model model = Model::load(runtime, SWITCHYARD_TEST_MODEL);
  Outcome outcome;
  Model::RunOptions options;
  options.report = &outcome.report;
  auto outputs = model.run({{model.inputs()[0].name, pictures()}}, options);
  outcome.logits = outputs[0].tensor.to_vector<float>();
  outcome.fallbacks = runtime.fallbacks();
  return outcome;
}

Outcome run_under(const std::string& config) {
  return run(Runtime::from_file(std::string(SWITCHYARD_TEST_CONFIGS) + "/" + config));
}

Outcome run_with(const std::string& routing) {
  return run(Runtime::from_text("[routing]\n" + routing +
                                "\n[plugins.template]\nlibrary = \"switchyard_template\"\n"
                                "[plugins.cpu]\nlibrary = \"switchyard_cpu\"\n"));
}

void expect_same(const std::vector<float>& a, const std::vector<float>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4f) << "at " << i;
}

const FallbackInfo* fallback_of(const Outcome& outcome, const std::string& op) {
  const auto found = std::find_if(outcome.fallbacks.begin(), outcome.fallbacks.end(),
                                  [&](const FallbackInfo& f) { return f.op == op; });
  return found == outcome.fallbacks.end() ? nullptr : &*found;
}

// Sixteen ops run on devices; Flatten is a view and runs on none.
constexpr std::uint64_t kOps = 16;
constexpr std::uint64_t kSharedOps = 6;  // two Add, four Relu

TEST(Routing, DefaultGoesToTheDeviceThatIsAvailable) {
  const Outcome outcome = run_under("default.toml");
  EXPECT_EQ(outcome.report.placement, (Placement{{"cpu:0", kOps}}));
  EXPECT_EQ(outcome.report.views, 1u);
  EXPECT_TRUE(outcome.fallbacks.empty());  // a device that is not there is not asked
}

TEST(Routing, CpuOnlyRunsEverythingThere) {
  EXPECT_EQ(run_under("cpu-only.toml").report.placement, (Placement{{"cpu:0", kOps}}));
}

TEST(Routing, AThirdPartysDeviceTakesWhatItSupports) {
  const Outcome outcome = run_under("third-party.toml");
  EXPECT_EQ(outcome.report.placement,
            (Placement{{"template:0", kSharedOps}, {"cpu:0", kOps - kSharedOps}}));
  const FallbackInfo* conv = fallback_of(outcome, "Conv");
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->from, "template:0");
  EXPECT_EQ(conv->to, "cpu:0");
  EXPECT_EQ(conv->code, "OP");
  EXPECT_EQ(conv->reason, "does not know Conv");
  EXPECT_EQ(conv->count, 6u);
  EXPECT_GT(conv->bytes_copied, 0u);
  expect_same(outcome.logits, run_under("cpu-only.toml").logits);
}

TEST(Routing, TurningTheOrderRoundMovesTheOps) {
  const Outcome shared = run_with("order = [\"template\", \"cpu\"]\nfallback = \"allow\"");
  const Outcome turned = run_with("order = [\"cpu\", \"template\"]\nfallback = \"allow\"");
  EXPECT_EQ(shared.report.placement.at("template:0"), kSharedOps);
  EXPECT_EQ(turned.report.placement, (Placement{{"cpu:0", kOps}}));
  EXPECT_TRUE(turned.fallbacks.empty());
  expect_same(shared.logits, turned.logits);
}

TEST(Routing, BytesCopiedAreWhatCrosses) {
  // The first Conv reads the picture and its weights where they are; its fallback copies what a later
  // Conv needs of template's results.
  const Outcome outcome = run_with("order = [\"template\", \"cpu\"]\nfallback = \"allow\"");
  std::uint64_t copied = 0;
  for (const FallbackInfo& fallback : outcome.fallbacks) copied += fallback.bytes_copied;
  EXPECT_GT(copied, 0u);
  EXPECT_EQ(copied % sizeof(float), 0u);
}

TEST(Routing, DeniedFallbacksStopWithTheRefusal) {
  try {
    run_under("deny.toml");
    FAIL() << "the fallback was not denied";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    const std::string what = error.what();
    EXPECT_NE(what.find("template:0 refused (OP): does not know Conv"), std::string::npos) << what;
    EXPECT_NE(what.find("/0/Conv"), std::string::npos) << what;
  }
}

TEST(Routing, PinsSendAnOpWhereTheyPoint) {
  const Outcome outcome = run_with(
      "order = [\"template\", \"cpu\"]\nfallback = \"allow\"\n[routing.pins]\nRelu = \"cpu\"");
  EXPECT_EQ(outcome.report.placement.at("template:0"), 2u);  // the two Add alone
  EXPECT_EQ(fallback_of(outcome, "Relu"), nullptr);          // nobody refused it
}

TEST(Routing, PinnedConfigurationGivesTheSameAnswers) {
  expect_same(run_under("pinned.toml").logits, run_under("cpu-only.toml").logits);
}

TEST(Routing, ExplainTellsTheSameStory) {
  const Runtime runtime =
      Runtime::from_file(std::string(SWITCHYARD_TEST_CONFIGS) + "/third-party.toml");
  const Model model = Model::load(runtime, SWITCHYARD_TEST_MODEL);
  Placement placement;
  for (const NodeExplanation& node : model.explain()) ++placement[node.device];
  EXPECT_EQ(placement,
            (Placement{{"template:0", kSharedOps}, {"cpu:0", kOps - kSharedOps}, {"view", 1}}));
}

TEST(Routing, AnOpPlacedOnADeviceComesHome) {
  const Runtime runtime = Runtime::from_text(
      "[routing]\norder = [\"cpu\"]\nfallback = \"allow\"\n[plugins.cpu]\nlibrary = "
      "\"switchyard_cpu\"\n"
      "[plugins.template]\nlibrary = \"switchyard_template\"\n");
  const Device home = runtime.device("template");
  const Tensor x = Tensor::of<float>({2}, std::vector<float>{0.0f, 1.0f}).to(home);
  const Tensor y = runtime.operation_on(home, "Exp")(x);  // template has no Exp
  EXPECT_EQ(y.device(), "template:0");
  EXPECT_NEAR(y.to_vector<float>()[1], std::exp(1.0f), 1e-6f);
  ASSERT_EQ(runtime.fallbacks().size(), 1u);
  EXPECT_EQ(runtime.fallbacks()[0].bytes_copied, 2 * 2 * sizeof(float));  // there and back
}

}  // namespace
}  // namespace switchyard
