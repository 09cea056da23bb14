// The walk: constants, shared and dead nodes, outputs, and what a run is refused for.
#include <fstream>
#include <functional>

#include "tests/interpreter/one_node.hpp"

namespace mps::software::interpreter_tests {
namespace {

const TensorType pair{ElementType::float32, {2}};

seam::Node input(TensorType type) { return {Operation::input, std::move(type), {}, {}, {}}; }

TEST(InterpreterWalk, RunsNodesInOrderWithConstants) {
  // (x + 3) * (x + 3) - x
  Graph graph;
  graph.nodes = {input(pair),
                 {Operation::constant, {ElementType::float32, {}}, {}, {}, floats({}, {3}).bytes},
                 {Operation::add, pair, {0, 1}, {}, {}},
                 {Operation::multiply, pair, {2, 2}, {}, {}},
                 {Operation::subtract, pair, {3, 0}, {}, {}}};
  graph.inputs = {0};
  graph.outputs = {4};
  expect_same(floats_of(run(graph, {floats({2}, {1, -5})}).front()), {15, 9});
}

TEST(InterpreterWalk, WritesOutputsThatAreReadLaterAndTwice) {
  Graph graph;
  graph.nodes = {input(pair),
                 {Operation::negative, pair, {0}, {}, {}},
                 {Operation::reshape, {ElementType::float32, {1, 2}}, {1}, {}, {}},
                 {Operation::exponential, pair, {1}, {}, {}}};
  graph.inputs = {0};
  graph.outputs = {3, 1, 2, 1};
  const auto outputs = run(graph, {floats({2}, {0, 2})});
  expect_near(floats_of(outputs[0]), {1, std::exp(-2.0)});
  for (size_t i = 1; i < 4; ++i) expect_same(floats_of(outputs[i]), {-0.0f, -2});
}

TEST(InterpreterWalk, AnInputMayBeReshapedStraightToAnOutput) {
  const Graph graph = one_node(Operation::reshape, {ElementType::float32, {2, 1}}, {pair});
  expect_same(floats_of(run(graph, {floats({2}, {4, 5})}).front()), {4, 5});
}

TEST(InterpreterWalk, InputsStandInTheGraphsOrder) {
  Graph graph = one_node(Operation::subtract, pair, {pair, pair});
  graph.inputs = {1, 0};
  expect_same(floats_of(run(graph, {floats({2}, {1, 2}), floats({2}, {10, 20})}).front()), {9, 18});
}

// What no output needs is not computed: this gather would fail.
TEST(InterpreterWalk, LeavesOutDeadNodes) {
  Graph graph;
  graph.nodes = {input(pair),
                 input({ElementType::int32, {1}}),
                 {Operation::gather, {ElementType::float32, {1}}, {0, 1}, seam::Axes{{0}}, {}},
                 {Operation::negative, {ElementType::float32, {1}}, {2}, {}, {}},
                 {Operation::absolute, pair, {0}, {}, {}}};
  graph.inputs = {0, 1};
  graph.outputs = {4};
  expect_same(floats_of(run(graph, {floats({2}, {-1, 2}), int32s({1}, {9})}).front()), {1, 2});
}

// A line of this process's status, in MiB.
int64_t mebibytes(const std::string& line) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    int64_t kibibytes = 0;
    if (word == line && status >> kibibytes) return kibibytes / 1024;
  }
  return -1;
}

TEST(InterpreterWalk, LetsGoOfWhatWillNotBeReadAgain) {
  // 64 values of 16 MiB would be a gigabyte. Sanitizers hold back up to a quarter of it.
  const TensorType type{ElementType::float32, {1 << 22}};
  Graph graph;
  graph.nodes.push_back(input(type));
  for (uint32_t i = 0; i < 64; ++i) {
    graph.nodes.push_back({Operation::negative, type, {i}, {}, {}});
  }
  graph.inputs = {0};
  graph.outputs = {64};
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) {
    GTEST_SKIP() << "this system does not reset a process's peak of memory";
  }
  const int64_t before = mebibytes("VmRSS:");
  const Tensor fives = floats(type.shape, std::vector<float>(1 << 22, 5));
  const auto result = floats_of(run(graph, {fives}).front());
  EXPECT_LT(mebibytes("VmHWM:") - before, 640);
  EXPECT_EQ(result.front(), 5);
  EXPECT_EQ(result.back(), 5);
}

void expect_call_refused(const std::string& part, const std::function<void()>& call) {
  try {
    call();
    FAIL() << "not refused: " << part;
  } catch (const seam::Failure& failure) {
    EXPECT_EQ(failure.fault(), seam::Fault::invalid);
    EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
  }
}

TEST(InterpreterRun, RefusesTensorsThatAreNotAsManyNullOrMisaligned) {
  const Graph graph = one_node(Operation::absolute, pair, {pair});
  alignas(8) std::byte bytes[32] = {};
  const std::byte* good[] = {bytes};
  const std::byte* odd[] = {bytes + 2};
  const std::byte* null[] = {nullptr};
  std::byte* result[] = {bytes + 16};
  std::byte* odd_result[] = {bytes + 17};
  expect_call_refused("1 inputs and 0 outputs", [&] { interpret(graph, good, {}); });
  expect_call_refused("0 inputs and 1 outputs", [&] { interpret(graph, {}, result); });
  expect_call_refused("input 0 is not aligned to 4", [&] { interpret(graph, odd, result); });
  expect_call_refused("output 0 is not aligned to 4", [&] { interpret(graph, good, odd_result); });
  expect_call_refused("input 0 is null", [&] { interpret(graph, null, result); });
  interpret(graph, good, result);
}

}  // namespace
}  // namespace mps::software::interpreter_tests
