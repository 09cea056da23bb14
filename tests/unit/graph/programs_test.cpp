// Nodes joined into programs: the same values as op by op, the same law, fewer runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// relu(x @ w + b) @ w + b, with w and b constant: five nodes.
GraphBuilder two_layers() {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId w = build.constant({2, 2}, {1, -1, 2, 1});
  const ValueId b = build.constant({2}, {1, -4});
  const ValueId hidden = build.node("Add", {build.node("MatMul", {x, w}), b});
  build.output(build.node("Add", {build.node("MatMul", {build.node("Relu", {hidden}), w}), b}));
  return build;
}
const Floats kTwoLayersOfOnes = {5, -8};  // for x = {{1, 1}}: hidden {4, -4}, relu {4, 0}

TEST(Programs, RunAModelAtOnce) {
  for (const char* plugin : {"programs", "programs_asynchronous", "whole_programs"}) {
    GraphBuilder build = two_layers();
    JoinedGraph graph({{plugin, "cpu"}}, build);
    for (int run = 0; run < 3; ++run) {
      EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes) << plugin;
      EXPECT_EQ(graph.statistics.programs, 1u) << plugin;
      EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair(std::string(plugin) + ":0", 5)));
    }
  }
}

// What lies between their nodes need never lie anywhere.
TEST(Programs, MayPassTheLimitOfOneTensorWithin) {
  GraphBuilder build;
  const ValueId table =
      build.node("MatMul", {build.input("x"), build.constant({1, 4}, {1, 2, 3, 4})});
  build.output(build.node("MatMul", {table, build.constant({4, 1}, {1, 1, 1, 1})}));
  JoinedGraph graph({{"programs", "cpu"}, "", "[limits]\nvalue_bytes = 32\n"}, build);
  EXPECT_EQ(graph({floats({4, 1}, {1, 2, 3, 4})})[0].to_vector<float>(), (Floats{10, 20, 30, 40}));
  EXPECT_EQ(graph.statistics.programs, 1u);
}

TEST(Programs, AreNotMadeForDevicesOfOneNode) {
  GraphBuilder build = two_layers();
  JoinedGraph graph({{"good", "cpu"}}, build);
  EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes);
  EXPECT_EQ(graph.statistics.programs, 0u);
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("good:0", 5)));
}

TEST(Programs, AreCutAtWhatTheirDeviceTakes) {
  GraphBuilder build = two_layers();
  JoinedGraph graph({{"programs_of_three", "cpu"}}, build);
  EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes);
  EXPECT_EQ(graph.statistics.programs, 2u);
}

TEST(Programs, LeaveOutWhatTheirDeviceRefuses) {
  // Add, Relu | Exp | Add, Relu: Exp is another device's.
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId first = build.node("Relu", {build.node("Add", {x, x})});
  const ValueId middle = build.node("Exp", {first});
  build.output(build.node("Relu", {build.node("Add", {middle, first})}));
  JoinedGraph graph({{"programs", "cpu"}, "fallback = \"allow\""}, build);
  EXPECT_EQ(graph({floats({2}, {0, -1})})[0].to_vector<float>(), (Floats{1, 1}));
  EXPECT_EQ(graph.statistics.programs, 2u);
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("cpu:0", 1), Pair("programs:0", 4)));
  ASSERT_EQ(graph.runtime().fallbacks().size(), 1u);
  EXPECT_EQ(graph.runtime().fallbacks()[0].op, "Exp");
  EXPECT_EQ(graph.runtime().fallbacks()[0].count, 1u);
}

TEST(Programs, CountTheFallbacksOfTheirNodes) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("MatMul", {build.node("MatMul", {x, x}), x}));
  JoinedGraph graph({{"template", "programs"}, "fallback = \"allow\""}, build);  // has no MatMul
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(graph({floats({2, 2}, {2, 0, 0, 1})})[0].to_vector<float>(), (Floats{8, 0, 0, 1}));
    EXPECT_EQ(graph.statistics.programs, 1u);
  }
  const auto fallbacks = graph.runtime().fallbacks();
  ASSERT_EQ(fallbacks.size(), 1u);
  EXPECT_EQ(fallbacks[0].from, "template:0");
  EXPECT_EQ(fallbacks[0].to, "programs:0");
  EXPECT_EQ(fallbacks[0].count, 4u);
}

TEST(Programs, KeepPinsAndDenials) {
  GraphBuilder build = two_layers();
  JoinedGraph pinned({{"programs", "cpu"}, "", "[routing.pins]\nRelu = \"cpu\"\n"}, build);
  EXPECT_EQ(pinned({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes);
  EXPECT_EQ(pinned.statistics.programs, 2u);
  EXPECT_THAT(pinned.statistics.placement, ElementsAre(Pair("cpu:0", 1), Pair("programs:0", 4)));

  GraphBuilder other;
  const ValueId x = other.input("x");
  other.output(other.node("Exp", {other.node("Relu", {other.node("Add", {x, x})})}));
  JoinedGraph denied({{"programs", "cpu"}, "fallback = \"deny\""}, other);
  const Error error = error_of([&] { denied({floats({2}, {0, 1})}); });
  EXPECT_THAT(error.what(), HasSubstr("Exp"));
  EXPECT_THAT(error.what(), HasSubstr("denied"));
}

TEST(Programs, GiveValuesThatAreAlsoUsedInside) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId sum = build.node("Add", {x, x});
  const ValueId positive = build.node("Relu", {sum});
  build.output(sum).output(positive).output(sum);
  JoinedGraph graph({{"programs", "cpu"}}, build);
  const std::vector<Tensor> outputs = graph({floats({2}, {1, -1})});
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{2, -2}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{2, 0}));
  EXPECT_EQ(outputs[2].to_vector<float>(), (Floats{2, -2}));
  EXPECT_EQ(graph.statistics.programs, 1u);
}

TEST(Programs, ReadInputsThatAreViews) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId turned = build.node("Transpose", {x}, attribute("perm", Integers{1, 0}));
  build.output(build.node("Relu", {build.node("Add", {turned, build.constant({2}, {0, 10})})}));
  JoinedGraph graph({{"programs_asynchronous", "cpu"}}, build);
  EXPECT_EQ(graph({counting({2, 2})})[0].to_vector<float>(), (Floats{0, 12, 1, 13}));
  EXPECT_EQ(graph.statistics.programs, 1u);
  EXPECT_EQ(graph.statistics.views, 1u);
}

TEST(Programs, TakeEmptyTensorsAndScalars) {
  for (const Dims& shape : {Dims{0}, Dims{}, Dims{2, 0, 3}}) {
    GraphBuilder build;
    const ValueId x = build.input("x");
    build.output(build.node("Relu", {build.node("Add", {x, x})}));
    JoinedGraph graph({{"programs", "cpu"}}, build);
    const Tensor output = graph({counting(shape)})[0];
    EXPECT_EQ(output.shape(), shape);
    EXPECT_EQ(output.to_vector<float>().size(), element_count(shape));
  }
}

TEST(Programs, CarryNaNAndInfinity) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Relu", {build.node("Add", {x, x})}));
  JoinedGraph graph({{"programs", "cpu"}}, build);
  const Floats values = graph({floats({3}, {inf, -inf, NAN})})[0].to_vector<float>();
  EXPECT_EQ(values[0], inf);
  EXPECT_EQ(values[1], 0);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST(Programs, AreMadeForShapesThatComeAgain) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Relu", {build.node("Add", {x, x})}));
  JoinedGraph graph({{"programs", "cpu"}}, build);
  const auto programs_for = [&](std::int64_t extent) {
    EXPECT_EQ(graph({counting({extent})})[0].shape(), (Dims{extent}));
    return graph.statistics.programs;
  };
  EXPECT_EQ(programs_for(2), 1u);  // the first shapes of all
  EXPECT_EQ(programs_for(3), 0u);
  EXPECT_EQ(programs_for(3), 1u);
  EXPECT_EQ(programs_for(2), 1u);
  for (std::int64_t extent = 10; extent < 40; ++extent) EXPECT_EQ(programs_for(extent), 0u);
  EXPECT_EQ(programs_for(2), 0u);  // forgotten meanwhile
}

TEST(Programs, FoldWhatFollowsFromShapes) {
  // x / (elements of x): the count is known once x's shape is.
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId count =
      build.node("Cast", {build.node("Size", {x})}, attribute("to", std::int64_t{1}));
  build.output(build.node("Relu", {build.node("Add", {x, count})}));
  JoinedGraph graph({{"programs", "cpu"}}, build);
  EXPECT_EQ(graph({floats({3}, {1, -4, 0})})[0].to_vector<float>(), (Floats{4, 0, 3}));
  EXPECT_EQ(graph.statistics.programs, 1u);
  EXPECT_EQ(graph.statistics.host_work, 0u);
}

TEST(Programs, ThatAreRefusedAfterAllRunNodeByNode) {
  GraphBuilder build = two_layers();
  JoinedGraph graph({{"programs_refused", "cpu"}}, build);
  EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes);
  EXPECT_EQ(graph.statistics.programs, 0u);
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("programs_refused:0", 5)));
}

TEST(Programs, ThatFailAtFirstRunNodeByNode) {
  for (const char* plugin : {"programs_transient", "programs_lost"}) {
    GraphBuilder build = two_layers();
    JoinedGraph graph({{plugin, "cpu"}, "fallback = \"allow\""}, build);
    EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes) << plugin;
    EXPECT_EQ(graph.statistics.programs, 0u) << plugin;
    EXPECT_EQ(graph({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes) << plugin;
  }
}

TEST(Programs, GoToAWholeModelDeviceOnlyIfItTakesAll) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Exp", {build.node("Relu", {build.node("Add", {x, x})})}));
  JoinedGraph graph({{"whole_programs", "cpu"}, "fallback = \"allow\""}, build);
  EXPECT_EQ(graph({floats({2}, {0, -1})})[0].to_vector<float>(), (Floats{1, 1}));
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("cpu:0", 3)));

  GraphBuilder later = two_layers();  // the device order: who comes first
  JoinedGraph second({{"cpu", "whole_programs"}}, later);
  EXPECT_EQ(second({floats({1, 2}, {1, 1})})[0].to_vector<float>(), kTwoLayersOfOnes);
  EXPECT_THAT(second.statistics.placement, ElementsAre(Pair("cpu:0", 5)));
}

TEST(Programs, HoldOneCopyOfConstants) {
  GraphBuilder build = two_layers();
  JoinedGraph graph({{"programs_asynchronous", "cpu"}}, build);
  for (const std::int64_t rows : {1, 2, 2, 3, 3}) graph({counting({rows, 2})});
  EXPECT_THAT(report_of(graph.runtime().device("programs_asynchronous")), HasSubstr("1 packed"));
}

}  // namespace
}  // namespace switchyard
