// What a run holds: values go when nobody uses them any more, and give their memory to results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

constexpr std::int64_t kElements = 1 << 16;
constexpr std::size_t kTensorBytes = kElements * sizeof(float);

Tensor large() { return floats({kElements}, Floats(kElements, -1)); }

// The most that one run takes of a device, in tensors.
double peak_of(const std::string& device, GraphBuilder& build, std::vector<Tensor> inputs) {
  const Runtime runtime = start({{device, "cpu"}});
  PlannedGraph graph(runtime, build);
  graph(std::move(inputs));
  return static_cast<double>(runtime.device(device).memory().peak_bytes) / kTensorBytes;
}

TEST(Liveness, ALongChainTakesNoMoreThanAShortOne) {
  const auto peak = [](int length) {
    GraphBuilder build;
    ValueId value = build.input("x");
    for (int i = 0; i < length; ++i) {
      value = build.node(i % 2 == 0 ? "Relu" : "Add",
                         i % 2 == 0 ? std::vector{value} : std::vector{value, value});
    }
    build.output(value);
    return peak_of("good", build, {large()});
  };
  EXPECT_LE(peak(4), 3.1);
  EXPECT_EQ(peak(200), peak(4));
}

TEST(Liveness, AValueLivesUntilItsLastUse) {
  // x is used at the very end; everything between dies at once.
  GraphBuilder build;
  const ValueId x = build.input("x");
  ValueId value = x;
  for (int i = 0; i < 20; ++i) value = build.node("Relu", {value});
  build.output(build.node("Add", {value, x}));
  PlannedGraph graph(start({{"good"}}), build);
  EXPECT_EQ(graph({floats({2}, {-1, 2})})[0].to_vector<float>(), (Floats{-1, 4}));
}

TEST(Liveness, WhatOnlyABodyCapturesLivesAsLongAsTheNode) {
  GraphBuilder build, then_branch, else_branch;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId captured = build.node("Relu", {build.input("x")});
  then_branch.output(
      then_branch.node("Add", {then_branch.capture(captured), then_branch.capture(captured)}));
  else_branch.output(else_branch.node("Relu", {else_branch.capture(captured)}));
  build.output(build.node("If", {condition}));
  build.body("then_branch", then_branch).body("else_branch", else_branch);
  PlannedGraph graph(start({{"good", "cpu"}}), build);
  EXPECT_EQ(graph({host_scalar(true), floats({2}, {-1, 2})})[0].to_vector<float>(), (Floats{0, 4}));
}

TEST(Liveness, NothingIsHeldAfterTheRun) {
  GraphBuilder build;
  build.output(build.node("Relu", {build.node("Relu", {build.input("x")})}));
  const Runtime runtime = start({{"good"}});
  PlannedGraph graph(runtime, build);
  graph({large()});
  EXPECT_EQ(runtime.device("good").memory().used_bytes, 0u);
  graph({large()});
  EXPECT_GT(runtime.device("good").memory().reuses, 0u) << "the next run takes the same blocks";
}

// ---------------------------------------------------------------- aliasing

// y = Relu(x) on the template, which may write over its input; `keep` makes x an output as well.
std::vector<Tensor> relu_of(const Runtime& runtime, Tensor x, bool keep) {
  GraphBuilder build;
  const ValueId input = build.input("x");
  build.output(build.node("Relu", {input}));
  if (keep) build.output(input);
  PlannedGraph graph(runtime, build);
  std::vector<Tensor> inputs;
  inputs.push_back(std::move(x));
  return graph(std::move(inputs));
}

struct Aliasing : testing::Test {
  Runtime runtime = start({{"template"}, "", "", {"cpu"}});
  Device device = runtime.device("template");

  std::uint64_t allocations_of(const std::function<void()>& work) {
    const std::uint64_t before = device.memory().allocations;
    work();
    return device.memory().allocations - before;
  }
};

TEST_F(Aliasing, AValueThatDiesGivesItsMemoryToTheResult) {
  Tensor x = floats({3}, {-1, 2, -3}).to(device);
  EXPECT_EQ(
      allocations_of([&] {
        EXPECT_EQ(relu_of(runtime, std::move(x), false)[0].to_vector<float>(), (Floats{0, 2, 0}));
      }),
      0u);
}

TEST_F(Aliasing, AValueThatSomebodyElseHoldsDoesNot) {
  const Tensor x = floats({3}, {-1, 2, -3}).to(device);
  EXPECT_EQ(allocations_of([&] { relu_of(runtime, x, false); }), 1u);
  EXPECT_EQ(x.to_vector<float>(), (Floats{-1, 2, -3}));
}

TEST_F(Aliasing, NorDoesAnOutputOfTheGraph) {
  const auto outputs = relu_of(runtime, floats({3}, {-1, 2, -3}).to(device), true);
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{0, 2, 0}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{-1, 2, -3}));
}

TEST_F(Aliasing, NorDoesAStorageThatAViewLooksAt) {
  Tensor x = floats({2, 2}, {-1, 2, -3, 4}).to(device);
  const Tensor view = runtime.operation("Transpose")(x);
  relu_of(runtime, std::move(x), false);
  EXPECT_EQ(view.to_vector<float>(), (Floats{-1, -3, 2, 4}));
}

TEST_F(Aliasing, NorDoesAnInputThatIsReadTwice) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Add", {x, x}));
  PlannedGraph graph(runtime, build);
  std::vector<Tensor> inputs;
  inputs.push_back(floats({2}, {1, 2}).to(device));
  EXPECT_EQ(graph(std::move(inputs))[0].to_vector<float>(), (Floats{2, 4}));
}

TEST_F(Aliasing, NorDoesAConstant) {
  GraphBuilder build;
  build.output(build.node("Relu", {build.constant({2}, {-1, 2})}));
  PlannedGraph graph(runtime, build);
  EXPECT_EQ(graph({})[0].to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(graph({})[0].to_vector<float>(), (Floats{0, 2}));
  EXPECT_EQ(graph.plan().constants[0].second->host->literal.values<float>()[0], -1);
}

TEST_F(Aliasing, NorDoesABroadcastInput) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId y = build.input("y");
  build.output(build.node("Add", {x, y}));
  PlannedGraph graph(runtime, build);
  std::vector<Tensor> inputs;
  inputs.push_back(floats({1}, {10}).to(device));
  inputs.push_back(floats({2}, {1, 2}).to(device));
  EXPECT_EQ(graph(std::move(inputs))[0].to_vector<float>(), (Floats{11, 12}));
}

TEST_F(Aliasing, NorDoesAnEagerOpsInput) {
  Tensor x = floats({2}, {-1, 2}).to(device);
  const Tensor y = runtime.operation("Relu")(x);
  EXPECT_EQ(x.to_vector<float>(), (Floats{-1, 2}));
  EXPECT_EQ(y.to_vector<float>(), (Floats{0, 2}));
}

// ---------------------------------------------------------------- constants

// y = x * matrix
GraphBuilder product_with(const Dims& shape, const Floats& matrix) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("MatMul", {x, build.constant(shape, matrix)}));
  return build;
}

TEST(Constants, ReachADeviceOnceAndStayAsLongAsTheModel) {
  const Runtime runtime = start({{"good"}});
  {
    GraphBuilder build = product_with({2, 2}, {1, 2, 3, 4});
    PlannedGraph graph(runtime, build);
    graph({floats({1, 2}, {1, 1})});
    const std::size_t used = runtime.device("good").memory().used_bytes;
    EXPECT_EQ(used, 64u) << "the constant";
    graph({floats({1, 2}, {1, 1})});
    EXPECT_EQ(runtime.device("good").memory().used_bytes, used);
  }
  EXPECT_EQ(runtime.device("good").memory().used_bytes, 0u);
}

TEST(Constants, ThatAKernelPacksNeverReachTheDevice) {
  const Runtime runtime = start({{"packed_constants"}});
  GraphBuilder build = product_with({2, 2}, {1, 2, 3, 4});
  PlannedGraph graph(runtime, build);
  EXPECT_EQ(graph({floats({1, 2}, {1, 10})})[0].to_vector<float>(), (Floats{31, 42}));
  EXPECT_EQ(runtime.device("packed_constants").memory().used_bytes, 0u);
  EXPECT_EQ(report_of(runtime.device("packed_constants")), "1 runs, 1 packed constants\n");
}

TEST(Constants, ArePackedOnceForAllShapes) {
  const Runtime runtime = start({{"packed_constants"}});
  GraphBuilder build = product_with({2, 2}, {1, 2, 3, 4});
  PlannedGraph graph(runtime, build);
  for (std::int64_t rows = 1; rows < 5; ++rows) graph({counting({rows, 2})});
  EXPECT_EQ(report_of(runtime.device("packed_constants")), "4 runs, 1 packed constants\n");
}

TEST(Constants, AreReleasedWithTheModelsThatNeedThem) {
  const Runtime runtime = start({{"packed_constants"}});
  const Device device = runtime.device("packed_constants");
  {
    GraphBuilder build = product_with({2, 2}, {1, 2, 3, 4});
    PlannedGraph graph(runtime, build);
    graph({floats({1, 2}, {1, 10})});
    GraphBuilder other = product_with({2, 2}, {5, 6, 7, 8});
    PlannedGraph second(runtime, other);
    EXPECT_EQ(second({floats({1, 2}, {1, 10})})[0].to_vector<float>(), (Floats{75, 86}));
    EXPECT_EQ(report_of(device), "2 runs, 2 packed constants\n");
  }
  EXPECT_EQ(report_of(device), "2 runs, 0 packed constants\n") << "the models are gone";
}

}  // namespace
}  // namespace switchyard
