// An op that no device takes runs as its function body.
#include "graph/expansion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

int bodies_made = 0;

// Stands in for HardSwish with ops that the template plugin has: Relu(x) * x.
Graph relu_times_x(const Node&, std::span<const Value> inputs) {
  ++bodies_made;
  GraphBuilder body;
  const ValueId x = body.input("x", inputs[0].dtype);
  body.output(body.node("Mul", {body.node("Relu", {x}), x}));
  return body.take();
}

GraphBuilder hard_swish_then_relu() {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Relu", {build.node("HardSwish", {x})}));
  return build;
}

TEST(Expansion, RunsTheBodyWhereNoDeviceTakesTheOp) {
  GraphBuilder build = hard_swish_then_relu();
  PlannedGraph graph(start({{"template"}, "", "", {"cpu"}}), build);
  graph.expand = relu_times_x;
  EXPECT_EQ(graph({floats({3}, {-1, 2, 3})})[0].to_vector<float>(), (Floats{0, 4, 9}));
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("template:0", 3)));
}

TEST(Expansion, MakesOneBodyForAllExtents) {
  GraphBuilder build = hard_swish_then_relu();
  PlannedGraph graph(start({{"template"}, "", "", {"cpu"}}), build);
  graph.expand = relu_times_x;
  bodies_made = 0;
  for (std::int64_t size : {1, 4, 0}) {
    EXPECT_EQ(graph({counting({size})})[0].shape(), (Dims{size}));
  }
  EXPECT_EQ(bodies_made, 1);
  graph({counting({2, 2})});
  EXPECT_EQ(bodies_made, 2) << "another rank, another body";
}

TEST(Expansion, LeavesTheOpToADeviceThatTakesIt) {
  GraphBuilder build = hard_swish_then_relu();
  PlannedGraph graph(start({{"template", "cpu"}}), build);
  graph.expand = relu_times_x;
  bodies_made = 0;
  graph({floats({1}, {3})});
  EXPECT_EQ(bodies_made, 0);
}

TEST(Expansion, IsNoWayRoundADeniedFallback) {
  GraphBuilder build = hard_swish_then_relu();
  PlannedGraph graph(start({{"template", "cpu"}, "fallback = \"deny\""}), build);
  graph.expand = relu_times_x;
  const Error error = error_of([&] { graph({floats({1}, {3})}); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
}

TEST(Expansion, IsAnErrorWithoutABody) {
  GraphBuilder build;
  build.output(build.node("Exp", {build.input("x")}));
  PlannedGraph graph(start({{"template"}, "", "", {"cpu"}}), build);
  graph.expand = relu_times_x;
  const Error error = error_of([&] { graph({floats({1}, {3})}); });
  EXPECT_THAT(error.what(), HasSubstr("no device takes it"));
}

}  // namespace
}  // namespace switchyard
