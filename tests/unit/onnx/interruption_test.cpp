// A run ends when its caller says so, when its time is over, and when a loop goes on for too long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <switchyard/model.hpp>
#include <thread>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Model load(std::string_view graph, const std::string& sections = "") {
  const std::string bytes = onnx::encode(model_of(graph));
  return Model::from_bytes(start({{"cpu"}, "", sections}), bytes_of(bytes));
}

// Counts for as long as its body's condition, which is always true.
constexpr std::string_view kEndless =
    "g (float[2] x) => (float[2] y) {"
    "  c = Constant <value = bool {1}> ()"
    "  y = Loop (\"\", c, x) <body = b (i, d, v) => (d, w) { w = Neg (v) }> }";
// Its body has no nodes at all.
constexpr std::string_view kIdle =
    "g (float[2] x) => (float[2] y) {"
    "  c = Constant <value = bool {1}> ()"
    "  y = Loop (\"\", c, x) <body = b (i, d, v) => (d, v) { }> }";

std::vector<NamedValue> inputs() { return {{"x", floats({2}, {1, -2})}}; }

Error error_of_run(const Model& model, const Model::RunOptions& options) {
  return error_of([&] { model.run(inputs(), options); });
}

TEST(Interruption, AnotherThreadCancelsALoopWithoutEnd) {
  for (const std::string_view graph : {kEndless, kIdle}) {
    const Model model = load(graph, "[limits]\niterations = 1000000000000\n");
    CancellationToken token;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      token.cancel();
    });
    const Error error = error_of_run(model, {.cancellation = &token});
    other.join();
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
    EXPECT_THAT(error.what(), HasSubstr("(Loop): "));
    EXPECT_THAT(error.what(), HasSubstr("cancelled by its caller"));
  }
}

TEST(Interruption, ADeadlineEndsALoopInBodies) {
  const Model model = load(
      "g (float[2] x) => (float[2] y) {"
      "  c = Constant <value = bool {1}> ()"
      "  y = Scan <num_scan_inputs = 1, body = s (v) => (w) {"
      "    w = If (c) <then_branch = t () => (p) {"
      "      p = Loop (\"\", c, v) <body = b (i, d, q) => (d, r) { r = Neg (q) }>"
      "    }, else_branch = e () => (n) { n = Neg (v) }> }> (x) }",
      "[limits]\niterations = 1000000000000\n");
  const auto soon = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  EXPECT_EQ(error_of_run(model, {.deadline = soon}).kind(), ErrorKind::deadline);
}

TEST(Interruption, LeavesOtherRunsOfTheModelAlone) {
  const Model model = load(
      "g (float[2] x, int64 n) => (float[2] y) {"
      "  y = Loop (n, \"\", x) <body = b (i, d, v) => (d, w) { w = Neg (v) }> }",
      "[limits]\niterations = 1000000000000\n");
  const auto run = [&](std::int64_t trips, const Model::RunOptions& options) {
    return model.run({{"x", floats({2}, {1, -2})}, {"n", Tensor(trips)}}, options);
  };
  CancellationToken token;
  ErrorKind kind = ErrorKind::internal;
  std::thread endless(
      [&] { kind = error_of([&] { run(1'000'000'000'000, {.cancellation = &token}); }).kind(); });
  EXPECT_EQ(run(1001, {})[0].tensor.to_vector<float>(), (Floats{-1, 2}));
  token.cancel();
  EXPECT_EQ(run(1001, {})[0].tensor.to_vector<float>(), (Floats{-1, 2}));
  endless.join();
  EXPECT_EQ(kind, ErrorKind::cancelled);
}

TEST(Interruption, AModelRunsAgainAfterACancelledRun) {
  const Model model = load("g (float[2] x) => (float[2] y) { y = Neg (x) }");
  CancellationToken token;
  token.cancel();
  EXPECT_EQ(error_of_run(model, {.cancellation = &token}).kind(), ErrorKind::cancelled);
  token.reset();
  const std::vector<NamedValue> outputs = model.run(inputs(), {.cancellation = &token});
  EXPECT_EQ(outputs[0].tensor.to_vector<float>(), (Floats{-1, 2}));
}

TEST(Interruption, ADeadlineEndsARun) {
  using std::chrono::steady_clock;
  const Model model = load(kEndless, "[limits]\niterations = 1000000000000\n");
  const auto soon = steady_clock::now() + std::chrono::milliseconds(20);
  const Error error = error_of_run(model, {.deadline = soon});
  EXPECT_EQ(error.kind(), ErrorKind::deadline);
  EXPECT_THAT(error.what(), HasSubstr("has passed its deadline"));
  EXPECT_GE(steady_clock::now(), soon);
}

TEST(Interruption, ADeadlineFarAwayChangesNothing) {
  const Model model = load("g (float[2] x) => (float[2] y) { y = Neg (x) }");
  const auto later = std::chrono::steady_clock::now() + std::chrono::hours(1);
  EXPECT_EQ(model.run(inputs(), {.deadline = later})[0].tensor.to_vector<float>(), (Floats{-1, 2}));
}

}  // namespace
}  // namespace switchyard
