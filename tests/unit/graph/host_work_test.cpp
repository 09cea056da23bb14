// Host work: what decides shapes, branches and loop counts is computed on the host's device, is
// counted apart, is never refused, and nothing else is.
#include "graph/host_work.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;

// The ops of a graph that are host work.
std::vector<std::string> host_ops(const Graph& graph, const std::vector<ValueId>& needed = {}) {
  const HostDerived derived = find_host_derived(graph, derived_model_inputs(graph));
  const std::vector<bool> host_work = find_host_work(graph, derived, needed);
  std::vector<std::string> ops;
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    if (host_work[n]) ops.emplace_back(graph.nodes[n].op->name());
  }
  return ops;
}

// x reshaped to [first extent, -1], as exporters write it.
void add_flatten(GraphBuilder& build, ValueId x) {
  const ValueId extent = build.node("Gather", {build.node("Shape", {x}), build.numbers({0})});
  const ValueId shape =
      build.node("Concat", {extent, build.numbers({-1})}, attribute("axis", std::int64_t{0}));
  build.output(build.node("Reshape", {x, shape}));
}

TEST(HostWork, IsTheArithmeticOnShapes) {
  GraphBuilder build;
  add_flatten(build, build.node("Relu", {build.input("x")}));
  EXPECT_THAT(host_ops(build.graph()), ElementsAre("Shape", "Gather", "Concat"));
}

TEST(HostWork, IsNotArithmeticOnIntegersForItsOwnSake) {
  GraphBuilder build;
  const ValueId shape = build.node("Shape", {build.input("x")});
  build.output(build.node("Add", {shape, build.numbers({1})}));
  EXPECT_THAT(host_ops(build.graph()), ElementsAre());
}

TEST(HostWork, EndsWhereDataBegins) {
  // The result of NonZero is data, though a shape is made of it: nobody moves the work to the host.
  GraphBuilder build;
  const ValueId found = build.node("NonZero", {build.input("x")});
  const ValueId count =
      build.node("Slice", {build.node("Shape", {found}), build.numbers({1}), build.numbers({2})});
  build.output(build.node("ConstantOfShape", {count}));
  const ValueId value = build.node("ReduceSum", {build.input("y", DType::float32)});
  const ValueId limit = build.node("Cast", {value}, attribute("to", std::int64_t{7}));
  build.output(build.node("ConstantOfShape", {limit}));
  EXPECT_THAT(host_ops(build.graph()), ElementsAre("Shape", "Slice"));
}

TEST(HostWork, TakesIntegerAndBoolInputsOfTheModelAtTheirWord) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId length = build.input("length", DType::int64, {1});
  const ValueId doubled = build.node("Add", {length, length});
  build.output(build.node("Slice", {x, build.numbers({0}), doubled}));
  EXPECT_THAT(host_ops(build.graph()), ElementsAre("Add"));
}

TEST(HostWork, DecidesConditionsAndLoopCounts) {
  GraphBuilder build, then_branch, else_branch;
  const ValueId x = build.input("x");
  const ValueId rank = build.node("Size", {build.node("Shape", {x})});
  const ValueId condition = build.node("Equal", {rank, build.number(2)});
  then_branch.output(then_branch.node("Relu", {then_branch.capture(x)}));
  else_branch.output(else_branch.node("Neg", {else_branch.capture(x)}));
  build.output(build.node("If", {condition}));
  build.body("then_branch", then_branch).body("else_branch", else_branch);
  EXPECT_THAT(host_ops(build.graph()), ElementsAre("Size", "Equal"));
}

TEST(HostWork, NeverTakesRandomNumbers) {
  GraphBuilder build;
  const ValueId shape =
      build.node("Cast", {build.node("RandomUniform", {}, attribute("shape", Integers{1}))},
                 attribute("to", std::int64_t{7}));
  build.output(build.node("ConstantOfShape", {shape}));
  EXPECT_THAT(host_ops(build.graph()), ElementsAre());
}

// ---------------------------------------------------------------- while it runs

TEST(HostWork, RunsOnTheHostDeviceEvenUnderDeny) {
  // The template computes float32 alone, and refuses all else under deny.
  GraphBuilder build;
  add_flatten(build, build.node("Relu", {build.input("x")}));
  PlannedGraph graph(start({{"template"}, "fallback = \"deny\"", "", {"cpu"}}), build);
  const Tensor output = graph({counting({2, 2, 3})})[0];
  EXPECT_EQ(output.shape(), (Dims{2, 6}));
  EXPECT_EQ(output.device().name(), "template:0");
  EXPECT_EQ(graph.statistics.host_work, 2u) << "Gather and Concat; Shape runs on no device";
  EXPECT_THAT(graph.statistics.placement, ElementsAre(testing::Pair("template:0", 1)));
}

TEST(HostWork, IsNoFallback) {
  GraphBuilder build;
  add_flatten(build, build.node("Relu", {build.input("x")}));
  const Runtime runtime = start({{"template", "cpu"}});
  PlannedGraph graph(runtime, build);
  graph({counting({2, 2, 3})});
  EXPECT_TRUE(runtime.fallbacks().empty());
}

}  // namespace
}  // namespace switchyard
