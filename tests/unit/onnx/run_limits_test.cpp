// Limits that hold while a model runs: iterations of its loops, bytes of its values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Model load(std::string_view graph, const std::string& limits) {
  const std::string bytes = onnx::encode(model_of(graph));
  return Model::from_bytes(start({{"cpu"}, "", "[limits]\n" + limits}), bytes_of(bytes));
}

Model load_within(const std::string& memory_limit, std::string_view graph) {
  std::string config = config_text({{"cpu"}});
  config.insert(config.find("[routing]"), "memory_limit = \"" + memory_limit + "\"\n");
  const std::string bytes = onnx::encode(model_of(graph));
  return Model::from_bytes(Runtime::from_text(config), bytes_of(bytes));
}

Error error_of_run(const Model& model) {
  return error_of([&] { model.run({{"x", floats({2}, {1, -2})}}); });
}

TEST(RunLimits, ALoopEndsAtTheLimitOfIterations) {
  const Error error =
      error_of_run(load("g (float[2] x) => (float[2] y) {"
                        "  c = Constant <value = bool {1}> ()"
                        "  y = Loop (\"\", c, x) <body = b (i, d, v) => (d, w) { w = Neg (v) }> }",
                        "iterations = 1000\n"));
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("(Loop): this run has made 1000 iterations and goes on"));
  EXPECT_THAT(error.what(), HasSubstr("limits.iterations"));
}

TEST(RunLimits, ALoopMayRunAsOftenAsTheLimitSays) {
  const Model model = load(
      "g (float[2] x) => (float[2] y) {"
      "  n = Constant <value = int64 {1000}> ()"
      "  y = Loop (n, \"\", x) <body = b (i, d, v) => (d, w) { w = Neg (v) }> }",
      "iterations = 1000\n");
  EXPECT_EQ(model.run({{"x", floats({2}, {1, -2})}})[0].tensor.to_vector<float>(), (Floats{1, -2}));
}

TEST(RunLimits, AScanEndsAtTheLimitOfIterations) {
  const Model model = load(
      "g (float[2] x) => (float[2] y) {"
      "  y = Scan <num_scan_inputs = 1, body = b (v) => (w) { w = Neg (v) }> (x) }",
      "iterations = 1\n");
  EXPECT_THAT(error_of_run(model).what(), HasSubstr("(Scan): this run has made 1 iterations"));
}

/// 20 iterations of a loop that runs another 20 times each: 420 in all.
constexpr std::string_view kWithin =
    "g (float[2] x) => (float[2] y) {"
    "  n = Constant <value = int64 {20}> ()"
    "  y = Loop (n, \"\", x) <body = b (i, d, v) => (e, w) {"
    "    e = Identity (d)"
    "    w = Loop (n, \"\", v) <body = c (j, f, u) => (f, t) { t = Neg (u) }> }> }";

TEST(RunLimits, LoopsWithinLoopsEndAtTheLimitOfIterationsInAll) {
  EXPECT_THAT(error_of_run(load(kWithin, "iterations = 419\n")).what(),
              HasSubstr("this run has made 419 iterations and goes on"));
  const Model model = load(kWithin, "iterations = 420\n");
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(model.run({{"x", floats({2}, {1, -2})}})[0].tensor.to_vector<float>(),
              (Floats{1, -2}));
  }
}

TEST(RunLimits, ASequenceThatGrowsInALoopEndsAtTheLimitWithoutCopiesOfItsList) {
  const Error error = error_of_run(
      load("g (float[2] x) => (int64 y) {"
           "  c = Constant <value = bool {1}> ()"
           "  s = SequenceEmpty ()"
           "  t = Loop (\"\", c, s) <body = b (i, d, v) => (d, w) { w = SequenceInsert (v, x) }>"
           "  y = SequenceLength (t) }",
           "iterations = 300000\n"));
  EXPECT_THAT(error.what(), HasSubstr("limits.iterations"));
}

TEST(RunLimits, ATensorIsCutIntoNoMorePiecesInARunThanTheLimitOfIterations) {
  const std::string_view cutting =
      "g (float[2] x) => (int64 y) {"
      "  a = SplitToSequence (x)"
      "  b = SplitToSequence <keepdims = 0> (x)"
      "  y = SequenceLength (b) }";
  const Error error = error_of_run(load(cutting, "iterations = 3\n"));
  EXPECT_EQ(error.kind(), ErrorKind::model);
  EXPECT_THAT(error.what(), HasSubstr("it cuts its tensor into 2 more, and this run may make 3"));
  const Model model = load(cutting, "iterations = 4\n");
  EXPECT_EQ(model.run({{"x", floats({2}, {1, -2})}})[0].tensor.item<std::int64_t>(), 2);
}

TEST(RunLimits, TensorsInListsHaveRoomInTheMemoryLimit) {
  const std::string_view collecting =
      "g (float[2] x) => (int64[n] y, int64[n] z) {"
      "  n = Constant <value = int64 {3000}> ()"
      "  y, z = Loop (n, \"\") <body = b (i, d) => (d, v, w)"
      "                         { v = Identity (i) w = Identity (i) }> }";
  const std::string_view growing =
      "g (float[2] x) => (int64 y) {"
      "  n = Constant <value = int64 {3000}> ()"
      "  s = SequenceEmpty <dtype = 7> ()"
      "  t = Loop (n, \"\", s) <body = b (i, d, v) => (d, w) { w = SequenceInsert (v, i) }>"
      "  y = SequenceLength (t) }";
  for (const std::string_view text : {collecting, growing}) {
    const Error error = error_of_run(load_within("1MiB", text));
    EXPECT_EQ(error.kind(), ErrorKind::model);
    EXPECT_THAT(error.what(), HasSubstr("this run may add 2048 in all"));
    EXPECT_THAT(error.what(), HasSubstr("host.memory_limit"));
    EXPECT_NO_THROW(load_within("4MiB", text).run({{"x", floats({2}, {1, -2})}}));
  }
}

/// Joins its tensor to itself in each of 64 iterations.
constexpr std::string_view kDoubling =
    "g (float[2] x) => (float[n] y) {"
    "  n = Constant <value = int64 {64}> ()"
    "  y = Loop (n, \"\", x) <body = b (i, d, v) => (d, w) { w = Concat <axis = 0> (v, v) }> }";

TEST(RunLimits, ATensorThatGrowsInALoopEndsAtTheLimitOfOne) {
  const Error error = error_of_run(load(kDoubling, "value_bytes = \"1MiB\"\n"));
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("(Concat)"));
  EXPECT_THAT(error.what(), HasSubstr("2097152 bytes"));
  EXPECT_THAT(error.what(), HasSubstr("limits.value_bytes"));
}

TEST(RunLimits, ATensorThatGrowsInALoopEndsAtTheLimitOfAll) {
  const Error error = error_of_run(load_within("1MiB", kDoubling));
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("(Concat)"));
  EXPECT_THAT(error.what(), HasSubstr("host.memory_limit"));
}

TEST(RunLimits, AValueThatIsTooLargeIsNotMade) {
  const Model model = load(
      "g (float[2] x) => (float[n] y) {"
      "  s = Constant <value = int64[1] {1000000}> ()"
      "  y = Tile (x, s) }",
      "value_bytes = \"1MiB\"\n");
  const Error error = error_of_run(model);
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("a tensor of 8000000 bytes passes the limit of 1048576"));
  EXPECT_THAT(error.what(), HasSubstr("limits.value_bytes"));
}

TEST(RunLimits, AViewThatRepeatsElementsCountsThemAll) {
  const Model model = load(
      "g (float[2] x) => (float[1] y) {"
      "  s = Constant <value = int64[2] {1000000000000, 2}> ()"
      "  e = Expand (x, s)"
      "  y = ReduceSum <keepdims = 0> (e) }",
      "value_bytes = \"1MiB\"\n");
  const Error error = error_of_run(model);
  EXPECT_EQ(error.kind(), ErrorKind::out_of_memory);
  EXPECT_THAT(error.what(), HasSubstr("a tensor of 8000000000000 bytes passes the limit"));
}

TEST(RunLimits, AViewOfPartOfATensorThatIsTooLargeIsNone) {
  const Model model = load(
      "g (float[2] x) => (float[1] y) {"
      "  b = Constant <value_ints = [0]> ()"
      "  e = Constant <value_ints = [1]> ()"
      "  y = Slice (x, b, e) }",
      "value_bytes = 8\n");
  EXPECT_EQ(model.run({{"x", floats({2}, {1, -2})}})[0].tensor.item<float>(), 1);
}

}  // namespace
}  // namespace switchyard
