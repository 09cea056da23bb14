// The demo's model, a small convolutional network, under every configuration of config/: one
// program, and the TOML alone decides where its ops go.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <switchyard/model.hpp>
#include <vector>

#include "tensor/host_tensor.hpp"
#include "test_folders.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using Counts = std::map<std::string, std::uint64_t>;

constexpr std::int64_t kPictures = 3;
constexpr std::int64_t kPixels = 28 * 28;

const std::filesystem::path kModel =
    std::filesystem::path(SWITCHYARD_SOURCE_DIR) / "host/examples/demo/fashion.onnx";

std::filesystem::path config_file(const std::string& name) {
  return std::filesystem::path(SWITCHYARD_BUILD_DIR) / "config" / name;
}

std::string config_text(const std::string& name) {
  std::ifstream file(config_file(name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& line, const std::string& by) {
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << "no line " << line;
  return text.replace(at, line.size(), by);
}

// Pictures of nothing in particular, the same in every run.
Tensor pictures() {
  std::vector<float> pixels(kPictures * kPixels);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    pixels[i] = 0.5F + 0.5F * std::sin(0.37F * static_cast<float>(i) + static_cast<float>(i / 97));
  }
  return host_tensor<float>({kPictures, 1, 28, 28}, pixels);
}

// What one run of the model came to.
struct Outcome {
  std::vector<float> scores;
  RunReport report;
  std::vector<FallbackInfo> fallbacks;
  std::vector<NodeExplanation> nodes;

  std::uint64_t bytes_copied() const {
    std::uint64_t bytes = 0;
    for (const FallbackInfo& fallback : fallbacks) bytes += fallback.bytes_copied;
    return bytes;
  }
  Counts fallbacks_by_op() const {
    Counts counts;
    for (const FallbackInfo& fallback : fallbacks) counts[fallback.op] += fallback.count;
    return counts;
  }
};

Outcome run(const Runtime& runtime) {
  Outcome outcome;
  const Model model = Model::load(runtime, kModel);
  runtime.reset_fallbacks();
  const std::string input = model.inputs().at(0).name;
  const auto outputs = model.run({{input, pictures()}}, {.report = &outcome.report});
  outcome.scores = outputs.at(0).tensor.to_vector<float>();
  outcome.fallbacks = runtime.fallbacks();
  outcome.nodes = model.explain();
  return outcome;
}

Outcome run_under(const std::string& config) {
  return run(Runtime::from_file(config_file(config)));
}

Outcome run_text(const std::string& toml) {
  return run(Runtime::from_text("[host]\nlog_level = \"error\"\n" + toml));
}

// Where `explain` sends the nodes of an op, without repeats.
std::map<std::string, std::string> devices_by_op(const Outcome& outcome) {
  std::map<std::string, std::string> devices;
  for (const NodeExplanation& node : outcome.nodes) devices[node.op] = node.device;
  return devices;
}

std::string trail_of(const Outcome& outcome, const std::string& op) {
  std::string text;
  for (const NodeExplanation& node : outcome.nodes) {
    if (node.op != op) continue;
    for (const TrailEntry& entry : node.trail) {
      text += (text.empty() ? "" : "; ") + entry.plugin + " " + entry.verdict;
      if (!entry.code.empty()) text += " " + entry.code;
    }
    return text;
  }
  return "no such op";
}

void expect_same_scores(const Outcome& outcome, const Outcome& reference) {
  ASSERT_EQ(outcome.scores.size(), reference.scores.size());
  for (std::size_t i = 0; i < reference.scores.size(); ++i) {
    EXPECT_NEAR(outcome.scores[i], reference.scores[i], 1e-4F) << "score " << i;
  }
}

// The model has 6 Conv, 2 HardSwish, GlobalAveragePool and Gemm, which the template refuses, and 4
// Relu and 2 Add, which it takes. Flatten is a view.
constexpr std::uint64_t kOfTemplate = 6;
constexpr std::uint64_t kOfOthers = 10;

TEST(Fashion, CpuOnlyRunsEverythingOnOneDevice) {
  const Outcome outcome = run_under("cpu-only.toml");
  EXPECT_THAT(outcome.report.placement, ElementsAre(Pair("cpu:0", kOfTemplate + kOfOthers)));
  EXPECT_EQ(outcome.report.views, 1u);
  EXPECT_TRUE(outcome.fallbacks.empty());
  EXPECT_EQ(trail_of(outcome, "Conv"), "cpu:0 supported");
  EXPECT_EQ(outcome.scores.size(), static_cast<std::size_t>(kPictures * 10));
}

TEST(Fashion, DefaultRunsWhereThereIsNoGpu) {
  const Runtime runtime = Runtime::from_file(config_file("default.toml"));
  const std::vector<PluginInfo> plugins = runtime.plugins();
  ASSERT_EQ(plugins.at(0).name, "mps");
  EXPECT_TRUE(plugins[0].loaded) << plugins[0].reason;
  EXPECT_EQ(runtime.is_available("mps"), plugins[0].available);
  if (plugins[0].available) GTEST_SKIP() << "there is one";
  EXPECT_FALSE(plugins[0].reason.empty());

  const Outcome outcome = run(runtime);
  EXPECT_THAT(outcome.report.placement, ElementsAre(Pair("cpu:0", kOfTemplate + kOfOthers)));
  EXPECT_TRUE(outcome.fallbacks.empty()) << "what is not available was not asked";
  EXPECT_THAT(trail_of(outcome, "Conv"), HasSubstr("cpu:0 supported"));
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

TEST(Fashion, ThirdPartySharesTheModelBetweenTwoDevices) {
  const Outcome outcome = run_under("third-party.toml");
  EXPECT_THAT(outcome.report.placement,
              ElementsAre(Pair("cpu:0", kOfOthers), Pair("template:0", kOfTemplate)));
  EXPECT_EQ(outcome.report.views, 1u);
  EXPECT_EQ(outcome.report.host_work, 0u);
  EXPECT_THAT(outcome.fallbacks_by_op(),
              ElementsAre(Pair("Conv", 6), Pair("Gemm", 1), Pair("GlobalAveragePool", 1),
                          Pair("HardSwish", 2)));
  for (const FallbackInfo& fallback : outcome.fallbacks) {
    EXPECT_EQ(fallback.from, "template:0");
    EXPECT_EQ(fallback.to, "cpu:0");
    EXPECT_EQ(fallback.code, "OP");
    EXPECT_EQ(fallback.reason, "does not know " + fallback.op);
  }
  EXPECT_EQ(trail_of(outcome, "Conv"), "template:0 refused OP; cpu:0 supported");
  EXPECT_EQ(trail_of(outcome, "Relu"), "template:0 supported; cpu:0 supported");
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

// The same plugin in C: it claims the same ops, so the same nodes go to it.
TEST(Fashion, TheTemplateInCTakesWhatTheOtherOneTakes) {
  const Outcome outcome = run_text(
      "[routing]\norder = [\"template_c\", \"cpu\"]\nfallback = \"allow\"\n"
      "[plugins.template_c]\n[plugins.cpu]\n");
  EXPECT_THAT(outcome.report.placement,
              ElementsAre(Pair("cpu:0", kOfOthers), Pair("template_c:0", kOfTemplate)));
  EXPECT_EQ(trail_of(outcome, "Conv"), "template_c:0 refused OP; cpu:0 supported");
  EXPECT_EQ(trail_of(outcome, "Relu"), "template_c:0 supported; cpu:0 supported");
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

TEST(Fashion, IsolatedRunsEverythingInAnotherProcess) {
  const Outcome outcome = run_under("isolated.toml");
  EXPECT_THAT(outcome.report.placement, ElementsAre(Pair("cpu:0", kOfTemplate + kOfOthers)));
  EXPECT_TRUE(outcome.fallbacks.empty());
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

#ifdef __linux__
TEST(Fashion, SoftwareMetalRunsEverything) {
  const std::string toml = config_text("software-metal.toml");
  const Outcome unified = run(Runtime::from_text(toml));
  EXPECT_THAT(unified.report.placement, ElementsAre(Pair("mps:0", kOfTemplate + kOfOthers)));
  EXPECT_TRUE(unified.fallbacks.empty());
  expect_same_scores(unified, run_under("cpu-only.toml"));
  const Outcome discrete = run(Runtime::from_text(replaced(toml, "\"unified\"", "\"discrete\"")));
  EXPECT_THAT(discrete.report.placement, ElementsAre(Pair("mps:0", kOfTemplate + kOfOthers)));
  expect_same_scores(discrete, unified);
}
#endif

TEST(Fashion, ExplainTellsBeforeWhatTheRunDoes) {
  const Outcome outcome = run_under("third-party.toml");
  Counts nodes;
  for (const NodeExplanation& node : outcome.nodes) ++nodes[node.device];
  EXPECT_THAT(nodes, ElementsAre(Pair("cpu:0", kOfOthers), Pair("template:0", kOfTemplate),
                                 Pair("view", 1)));
}

TEST(Fashion, FallbacksCountTheBytesThatComeBackForThem) {
  // Whatever a fallen-back op reads from the template is copied: each of its results but those that
  // the template itself goes on with.
  const Outcome outcome = run_under("third-party.toml");
  std::uint64_t expected = 0;
  for (const FallbackInfo& fallback : outcome.fallbacks) {
    if (fallback.op == "HardSwish" || fallback.op == "Gemm") {
      EXPECT_EQ(fallback.bytes_copied, 0u) << fallback.op << " reads what the cpu made";
    }
    expected += fallback.bytes_copied;
  }
  EXPECT_GT(expected, 0u);
  EXPECT_EQ(expected % (kPictures * sizeof(float)), 0u) << "whole maps of every picture";
  const Outcome again = run_under("third-party.toml");
  EXPECT_EQ(again.bytes_copied(), expected) << "the count is exact";
}

TEST(Fashion, DenyStopsAtTheFirstOpThatWouldMove) {
  const Runtime runtime = Runtime::from_file(config_file("deny.toml"));
  const Model model = Model::load(runtime, kModel);
  try {
    model.run({{model.inputs().at(0).name, pictures()}});
    FAIL() << "the template has no Conv";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::unsupported);
    EXPECT_THAT(error.what(), HasSubstr("Conv"));
    EXPECT_THAT(error.what(), HasSubstr("template:0 refused (OP): does not know Conv"));
    EXPECT_THAT(error.what(), HasSubstr("denied"));
  }
  EXPECT_TRUE(runtime.fallbacks().empty());
}

TEST(Fashion, PinnedOpsLeaveTheOrder) {
  const Outcome outcome = run_under("pinned.toml");
  EXPECT_THAT(outcome.report.placement,
              ElementsAre(Pair("cpu:0", kOfOthers), Pair("template:0", kOfTemplate)));
  EXPECT_TRUE(outcome.fallbacks.empty()) << "each pin's device takes its op";
  EXPECT_EQ(trail_of(outcome, "Relu"), "template:0 supported; cpu:0 supported");
  EXPECT_EQ(trail_of(outcome, "Conv"), "cpu:0 supported; template:0 refused OP");
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

TEST(Fashion, EveryWorkedConfigurationIsHere) {
  const std::vector<std::string> tested{"cpu-only.toml",   "default.toml", "deny.toml",
                                        "isolated.toml",   "pinned.toml",  "software-metal.toml",
                                        "third-party.toml"};
  std::vector<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(
           std::filesystem::path(SWITCHYARD_SOURCE_DIR) / "config")) {
    if (file.path().extension() == ".toml") found.push_back(file.path().filename().string());
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, tested);
}

// ---------------------------------------------------------------- one line of TOML

TEST(Fashion, TurningTheOrderRoundMovesTheOps) {
  const std::string line = "order = [\"template\", \"cpu\"]";
  const std::string toml = config_text("third-party.toml");
  const Outcome before = run(Runtime::from_text(toml));
  const Outcome after =
      run(Runtime::from_text(replaced(toml, line, "order = [\"cpu\", \"template\"]")));
  EXPECT_EQ(devices_by_op(before).at("Relu"), "template:0");
  EXPECT_EQ(devices_by_op(after).at("Relu"), "cpu:0");
  EXPECT_THAT(after.report.placement, ElementsAre(Pair("cpu:0", kOfTemplate + kOfOthers)));
  EXPECT_TRUE(after.fallbacks.empty());
  expect_same_scores(after, before);
}

TEST(Fashion, APinMovesOneOp) {
  const std::string line = "[plugins.template]";
  const Outcome outcome = run(Runtime::from_text(
      replaced(config_text("third-party.toml"), line, "[routing.pins]\nRelu = \"cpu\"\n" + line)));
  EXPECT_EQ(devices_by_op(outcome).at("Relu"), "cpu:0");
  EXPECT_EQ(devices_by_op(outcome).at("Add"), "template:0");
  EXPECT_THAT(outcome.report.placement,
              ElementsAre(Pair("cpu:0", kOfOthers + 4), Pair("template:0", 2)));
}

TEST(Fashion, DenyWithExceptionsLetsThemThrough) {
  const Outcome outcome = run_text(
      "[routing]\norder = [\"template\", \"cpu\"]\nfallback = \"deny\"\n"
      "[routing.fallback_by_op]\nConv = \"allow\"\nGemm = \"allow\"\nHardSwish = \"allow\"\n"
      "GlobalAveragePool = \"allow\"\n[plugins.template]\n[plugins.cpu]\n");
  EXPECT_EQ(outcome.fallbacks_by_op().at("Conv"), 6u);
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

TEST(Fashion, TwoDevicesOfOnePluginShareTheModelToo) {
  const Outcome outcome = run_text(
      "[routing]\norder = [\"template:1\", \"cpu\"]\nfallback = \"allow\"\n"
      "[routing.pins]\nAdd = \"template:0\"\n"
      "[plugins.template.options]\ndevices = 2\n[plugins.cpu]\n");
  EXPECT_THAT(outcome.report.placement,
              ElementsAre(Pair("cpu:0", kOfOthers), Pair("template:0", 2), Pair("template:1", 4)));
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

TEST(Fashion, ASlowDeviceChangesNoAnswer) {
  // Work is under way for long after its enqueue: whoever forgets to wait reads too early.
  const Outcome outcome = run_text(
      "[routing]\norder = [\"template\", \"cpu\"]\nfallback = \"allow\"\n[plugins.cpu]\n"
      "[plugins.template.options]\nbatch = 100\ndelay_microseconds = 3000\n");
  EXPECT_EQ(outcome.report.placement.at("template:0"), kOfTemplate);
  expect_same_scores(outcome, run_under("cpu-only.toml"));
}

}  // namespace
}  // namespace switchyard
