// What is known when a model is loaded is settled then: types, shapes, and nodes that are constant.
#include "graph/specialise.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;

const Runtime& specialising_runtime() {
  static const Runtime shared = start({{"good", "cpu"}});
  return shared;
}

constexpr std::size_t kLimit = 1 << 20;

std::vector<std::string> folded_ops(Graph& graph, std::size_t limit_bytes = kLimit) {
  std::vector<std::string> ops;
  for (const FoldedNode& node :
       specialise(graph, *specialising_runtime().engine()->dispatcher, limit_bytes)) {
    ops.push_back(node.op);
  }
  return ops;
}

TEST(Specialise, ReplacesConstantNodesByTheirValues) {
  GraphBuilder build;
  const ValueId sum = build.node("Add", {build.constant({2}, {1, 2}), build.constant({1}, {10})});
  const ValueId result = build.node("Relu", {build.node("Neg", {sum})});
  build.output(result);
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph), ElementsAre("Add", "Neg", "Relu"));
  EXPECT_TRUE(graph.nodes.empty());
  const auto values = graph.values[result].constant->values<float>();
  EXPECT_THAT(std::vector<float>(values.begin(), values.end()), ElementsAre(0, 0));
}

TEST(Specialise, TellsShapesAsFarAsTheyAreKnown) {
  GraphBuilder build;
  const ValueId x = build.input("x", DType::float32, {kUnknown, 3});
  const ValueId y = build.node("MatMul", {x, build.constant({3, 4}, Floats(12, 1))});
  build.output(y);
  Graph graph = build.take();
  folded_ops(graph);
  EXPECT_EQ(graph.values[y].dtype, DType::float32);
  EXPECT_EQ(*graph.values[y].shape, (Dims{kUnknown, 4}));
}

TEST(Specialise, FoldsShapesThatAreKnown) {
  GraphBuilder build;
  const ValueId x = build.input("x", DType::float32, {2, 3});
  const ValueId flat =
      build.node("Gather", {build.node("Shape", {build.node("Relu", {x})}), build.numbers({1})});
  build.output(build.node("Reshape", {x, build.node("Concat", {build.numbers({-1}), flat},
                                                    attribute("axis", std::int64_t{0}))}));
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph), ElementsAre("Shape", "Gather", "Concat"));
  EXPECT_THAT(op_names(graph), ElementsAre("Relu", "Reshape"));
}

TEST(Specialise, LeavesShapesThatAreNot) {
  GraphBuilder build;
  const ValueId x = build.input("x", DType::float32, {kUnknown, 3});
  build.output(build.node("Shape", {x}));
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph), ElementsAre());
}

TEST(Specialise, LeavesResultsThatAreTooLarge) {
  GraphBuilder build;
  build.output(build.node("ConstantOfShape", {build.numbers({100, 100})}));
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph, 1000), ElementsAre());
  EXPECT_EQ(graph.nodes.size(), 1u);
}

// A file of a few bytes can name constants without end.
TEST(Specialise, LeavesWhatIsTooLargeTogether) {
  constexpr std::size_t kResult = 40'000;
  constexpr std::size_t kNodes = 20;
  GraphBuilder build;
  const ValueId shape = build.numbers({100, 100});
  for (std::size_t i = 0; i < kNodes; ++i) build.output(build.node("ConstantOfShape", {shape}));
  Graph graph = build.take();
  const std::size_t folded = folded_ops(graph, kResult).size();
  EXPECT_GE(folded, 3u);
  EXPECT_LE(folded, 4u);
  EXPECT_EQ(graph.nodes.size(), kNodes - folded);
}

TEST(Specialise, FoldsWhatConstantsComeToHoweverManyTheyAre) {
  GraphBuilder build;
  const Floats weight(1000, 1);
  for (int i = 0; i < 50; ++i) {
    const ValueId scaled =
        build.node("Mul", {build.constant({1000}, weight), build.constant({1}, {2})});
    build.output(build.node("Neg", {scaled}));
  }
  Graph graph = build.take();
  EXPECT_EQ(folded_ops(graph, 4000).size(), 100u);
}

TEST(Specialise, LeavesRandomNumbers) {
  GraphBuilder build;
  build.output(build.node("RandomNormal", {}, attribute("shape", Integers{2})));
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph), ElementsAre());
}

TEST(Specialise, LeavesWhatNoDeviceComputes) {
  // Only the fake is there, and it knows no Neg: the node stays, to be refused when it runs.
  const Runtime alone = start({{"good"}});
  GraphBuilder build;
  build.output(build.node("Neg", {build.constant({1}, {1})}));
  Graph graph = build.take();
  EXPECT_TRUE(specialise(graph, *alone.engine()->dispatcher, kLimit).empty());
  EXPECT_EQ(graph.nodes.size(), 1u);
}

TEST(Specialise, FindsShapesThatCannotFit) {
  GraphBuilder build;
  build.output(
      build.node("Add", {build.input("x", DType::float32, {3}), build.constant({2}, {1, 2})}));
  Graph graph = build.take();
  EXPECT_EQ(error_of([&] { folded_ops(graph); }).kind(), ErrorKind::model);
}

/// The branch for other shapes than those at hand never runs.
TEST(Specialise, LeavesShapesThatCannotFitInABodyToTheRun) {
  GraphBuilder build, then_branch, else_branch;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId x = build.input("x", DType::float32, {3});
  const ValueId pair = then_branch.constant({2}, {1, 2});
  then_branch.output(then_branch.node("Add", {then_branch.capture(x), pair}));
  else_branch.output(else_branch.node("Neg", {else_branch.capture(x)}));
  build.output(build.node("If", {condition}));
  build.body("then_branch", then_branch).body("else_branch", else_branch);
  Graph graph = build.take();
  EXPECT_TRUE(folded_ops(graph).empty());
}

TEST(Specialise, TellsBodiesWhatTheyCapture) {
  GraphBuilder build, then_branch, else_branch;
  const ValueId condition = build.input("condition", DType::bool_);
  const ValueId x = build.input("x", DType::float32, {2, 3});
  const ValueId shape = then_branch.node("Shape", {then_branch.capture(x)});
  then_branch.output(then_branch.node("Neg", {shape}));
  else_branch.output(else_branch.node("Shape", {else_branch.capture(x)}));
  build.output(build.node("If", {condition}));
  build.body("then_branch", then_branch).body("else_branch", else_branch);
  Graph graph = build.take();
  EXPECT_THAT(folded_ops(graph), ElementsAre("Shape", "Neg", "Shape"));
  EXPECT_TRUE(graph.nodes[0].bodies[0].second->nodes.empty());
}

TEST(Specialise, ChangesNoResult) {
  const auto result = [](bool specialised) {
    GraphBuilder build;
    const ValueId x = build.input("x", DType::float32, {2, 2});
    const ValueId y = build.node("Mul", {x, build.node("Sqrt", {build.constant({1}, {16})})});
    const ValueId shape = build.node("Concat", {build.node("Shape", {y}), build.numbers({1})},
                                     attribute("axis", std::int64_t{0}));
    build.output(build.node("Reshape", {y, shape}));
    Graph graph = build.take();
    if (specialised) {
      EXPECT_THAT(folded_ops(graph), ElementsAre("Sqrt", "Shape", "Concat"));
    }
    const auto plan = plan_graph(graph, *specialising_runtime().engine()->router);
    std::vector<Cell> inputs{{TensorRef(counting({2, 2}).impl()), nullptr}};
    Execution execution(*specialising_runtime().engine()->dispatcher, {});
    const Tensor output(execution.run(*plan, inputs)[0].tensor.get());
    EXPECT_EQ(output.shape(), (Dims{2, 2, 1}));
    return output.to_vector<float>();
  };
  EXPECT_EQ(result(true), result(false));
  EXPECT_EQ(result(true), (Floats{0, 4, 8, 12}));
}

}  // namespace
}  // namespace switchyard
