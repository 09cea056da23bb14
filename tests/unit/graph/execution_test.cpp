// Graphs run op by op, over one plan, any number of times.
#include "graph/execution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(Execution, CarriesValuesFromNodeToNode) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId sum = build.node("Add", {x, build.constant({2}, {10, -20})});
  build.output(build.node("Relu", {sum})).output(sum);
  PlannedGraph graph(start({{"good", "cpu"}}), build);
  const std::vector<Tensor> outputs = graph({floats({2}, {1, 2})});
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{11, 0}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{11, -18}));
}

TEST(Execution, RunsOnePlanAgainWithOtherShapes) {
  GraphBuilder build;
  const ValueId x = build.input("x", DType::float32, {kUnknown, 2});
  const ValueId shape = build.node("Shape", {x});
  const ValueId ones = build.node(
      "ConstantOfShape", {shape},
      attribute("value", Literal::of<float>(DType::float32, {1}, std::vector<float>{1})));
  build.output(build.node("Add", {x, ones}));
  PlannedGraph graph(start({{"good", "cpu"}}), build);
  for (std::int64_t rows : {1, 5, 0, 3}) {
    const Tensor output = graph({counting({rows, 2})})[0];
    EXPECT_EQ(output.shape(), (Dims{rows, 2}));
    const Floats values = output.to_vector<float>();
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<float>(i + 1));
  }
}

TEST(Execution, FollowsShapesThatOnlyTheRunShows) {
  // The elements of x that are not zero, in order: NonZero, Transpose, GatherND.
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId positions =
      build.node("Transpose", {build.node("NonZero", {x})}, attribute("perm", Integers{1, 0}));
  build.output(build.node("GatherND", {x, positions}));
  PlannedGraph graph(start({{"good", "cpu"}}), build);
  EXPECT_EQ(graph({floats({2, 2}, {0, 7, 8, 0})})[0].to_vector<float>(), (Floats{7, 8}));
  EXPECT_EQ(graph({floats({2, 2}, {1, 2, 3, 4})})[0].to_vector<float>(), (Floats{1, 2, 3, 4}));
  EXPECT_EQ(graph({floats({3}, {0, 0, 0})})[0].shape(), (Dims{0}));
}

TEST(Execution, LeavesOutWhatIsLeftOut) {
  // Clip's minimum is absent, its maximum is not; Dropout's mask is not wanted.
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId clipped = build.node(
      "Clip",
      {x, kAbsent, build.constant(Literal::of<float>(DType::float32, {}, std::vector<float>{2}))});
  build.output(clipped);
  PlannedGraph graph(start({{"cpu"}}), build);
  EXPECT_EQ(graph({floats({3}, {-9, 1, 9})})[0].to_vector<float>(), (Floats{-9, 1, 2}));
}

TEST(Execution, TakesMoreInputsThanFitInAMask) {
  GraphBuilder build;
  std::vector<ValueId> parts;
  const ValueId x = build.input("x");
  const ValueId turned = build.node("Transpose", {x}, attribute("perm", Integers{1, 0}));
  for (int i = 0; i < 70; ++i) parts.push_back(i % 2 == 0 ? x : turned);
  build.output(build.node("Concat", parts, attribute("axis", std::int64_t{0})));
  PlannedGraph graph(start({{"cpu"}}), build);
  const Floats joined = graph({counting({2, 2})})[0].to_vector<float>();
  ASSERT_EQ(joined.size(), 280u);
  for (std::size_t part = 0; part < 70; ++part) {
    const Floats expected = part % 2 == 0 ? Floats{0, 1, 2, 3} : Floats{0, 2, 1, 3};
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(),
                           joined.begin() + static_cast<std::ptrdiff_t>(part * 4)))
        << "part " << part;
  }
}

TEST(Execution, GivesInputsAndConstantsBackAsTheyAre) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(x).output(build.constant({1}, {5}));
  PlannedGraph graph(start({{"cpu"}}), build);
  const std::vector<Tensor> outputs = graph({counting({3})});
  EXPECT_EQ(outputs[0].to_vector<float>(), (Floats{0, 1, 2}));
  EXPECT_EQ(outputs[1].to_vector<float>(), (Floats{5}));
}

TEST(Execution, CountsWhereEachNodeRan) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId flat = build.node("Reshape", {x, build.numbers({-1})});
  build.output(build.node("Exp", {build.node("Relu", {build.node("Relu", {flat})})}));
  PlannedGraph graph(start({{"good", "cpu"}}), build);
  graph({counting({2, 2})});
  EXPECT_THAT(graph.statistics.placement, ElementsAre(Pair("cpu:0", 1), Pair("good:0", 2)));
  EXPECT_EQ(graph.statistics.views, 1u);
  EXPECT_EQ(graph.statistics.host_work, 0u);
  EXPECT_TRUE(graph.statistics.profile.empty()) << "not asked for";
}

TEST(Execution, ProfilesByOpAndDevice) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Exp", {build.node("Relu", {build.node("Relu", {x})})}));
  PlannedGraph graph(start({{"asynchronous", "cpu"}}), build);
  graph.cells({{TensorRef(counting({4}).impl()), nullptr}}, true);
  const auto& profile = graph.statistics.profile;
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile.at({"Relu", "asynchronous:0"}).count, 2u);
  EXPECT_GT(profile.at({"Relu", "asynchronous:0"}).milliseconds, 0);
  EXPECT_EQ(profile.at({"Exp", "cpu:0"}).count, 1u);
}

TEST(Execution, NamesTheNodeThatFailed) {
  GraphBuilder build;
  const ValueId x = build.input("x");
  build.output(build.node("Add", {build.node("Relu", {x}), build.constant({2}, {1, 2})}));
  PlannedGraph graph(start({{"cpu"}}), build);
  const Error error = error_of([&] { graph({counting({3})}); });
  EXPECT_EQ(error.kind(), ErrorKind::shape_mismatch) << "the file is right, the input is not";
  EXPECT_THAT(error.what(), HasSubstr("'Add_1'"));
}

TEST(Execution, OnAnAsynchronousDeviceGivesWhatASynchronousOneGives) {
  const auto outputs_on = [](const std::string& device) {
    GraphBuilder build;
    ValueId value = build.input("x");
    for (int i = 0; i < 20; ++i) {
      value = build.node("Add", {value, build.constant({4}, {1, -2, 3, -4})});
      value = build.node(i % 3 == 0 ? "Relu" : "Neg", {value});  // Neg falls back
    }
    build.output(value);
    PlannedGraph graph(start({{device, "cpu"}, "fallback = \"allow\""}), build);
    return graph({counting({4})})[0].to_vector<float>();
  };
  const Floats expected = outputs_on("cpu");
  for (const char* device : {"good", "asynchronous", "mappable", "opaque", "template"}) {
    EXPECT_EQ(outputs_on(device), expected) << device;
  }
}

}  // namespace
}  // namespace switchyard
