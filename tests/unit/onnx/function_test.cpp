// Functions that a model brings along.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

onnx::ModelProto calling(std::string_view nodes) {
  onnx::ModelProto model =
      model_of("g (float[2] x) => (float[2] y) { " + std::string(nodes) + " }");
  add_import(model, "own", 1);
  return model;
}

void add_default(onnx::FunctionProto& function, const std::string& name, float value) {
  onnx::AttributeProto& attribute = function.attribute_proto.emplace_back();
  attribute.name = name;
  attribute.type = onnx::AttributeProto::FLOAT;
  attribute.f = value;
}

TEST(FunctionTest, PutsAFunctionsNodesInThePositionOfTheCall) {
  onnx::ModelProto model = calling("a = own.F (x) \n y = Neg (a)");
  add_function(model, "F", "(p) => (q) { r = Relu (p) \n q = Abs (r) }");
  model.graph->node[0].name = "call";
  const ModelFile file = read(model);
  EXPECT_EQ(ops_of(file.graph), "Relu Abs Neg");
  EXPECT_EQ(file.graph.nodes[0].inputs[0], file.graph.inputs[0]);
  EXPECT_EQ(file.graph.values[file.graph.nodes[0].outputs[0]].name, "call/r");
  EXPECT_EQ(file.graph.values[file.graph.nodes[1].outputs[0]].name, "a");
  EXPECT_EQ(file.graph.nodes[0].name, "call/Relu_0");
}

// A model may replace an op of its own graph, but not one that the body of another stands for.
TEST(FunctionTest, ReplacesNoOpsInBodiesThatAreNotItsOwn) {
  onnx::ModelProto model = model_of(
      "g (float[2] x) => (float[2] y) { a = Swish (x) y = com.microsoft.QuickGelu (a) }", 24, 11);
  add_import(model, "com.microsoft", 1);
  EXPECT_EQ(ops_of(read(model).graph), "Swish Swish");
  add_function(model, "Swish", "(p) => (q) { q = Relu (p) }").domain = "";
  EXPECT_EQ(ops_of(read(model).graph), "Relu Swish");
}

TEST(FunctionTest, CallsAFunctionTwiceAndFromFunctions) {
  onnx::ModelProto model = calling("a = own.Outer (x) \n y = own.Outer (a)");
  add_function(model, "Inner",
               "(p) => (q) { c = Constant <value = float[2] {1.0, 2.0}> ()"
               " q = Add (p, c) }");
  add_function(model, "Outer", "(p) => (q) { r = own.Inner (p) \n q = own.Inner (r) }");
  const ModelFile file = read(model);
  EXPECT_EQ(ops_of(file.graph), "Add Add Add Add");
  for (const Node& node : file.graph.nodes) {
    ASSERT_TRUE(input(file.graph, node, 1).constant.has_value());
    EXPECT_THAT(input(file.graph, node, 1).constant->values<float>(), ElementsAre(1.0f, 2.0f));
  }
  EXPECT_EQ(output(file.graph, 0).name, "y");
}

TEST(FunctionTest, ResolvesReferencesToAttributes) {
  onnx::ModelProto model = calling("y = own.F <slope = 0.5> (x)");
  add_function(model, "F", "(p) => (q) { q = LeakyRelu <alpha: float = @slope> (p) }")
      .attribute.push_back("slope");
  EXPECT_EQ(read(model).graph.nodes[0].attributes.get_float("alpha", 9), 0.5f);
  model.graph->node[0].attribute.clear();
  EXPECT_EQ(read(model).graph.nodes[0].attributes.get_float("alpha", 9), 0.01f);
}

TEST(FunctionTest, ResolvesReferencesInBodiesAndNestedCalls) {
  onnx::ModelProto model = calling("y = own.Outer <slope = 0.25> (x)");
  add_function(model, "Inner", "(p) => (q) { q = LeakyRelu <alpha: float = @a> (p) }")
      .attribute.push_back("a");
  add_function(model, "Outer",
               "(p) => (q) { c = Constant <value = bool {1}> ()"
               " q = If (c) <then_branch = t () => (r) { r = own.Inner <a: float = @slope> (p) },"
               "             else_branch = e () => (s) { s = Neg (p) }> }")
      .attribute.push_back("slope");
  const ModelFile file = read(model);
  const Graph& branch = *file.graph.nodes[0].bodies[0].second;
  ASSERT_EQ(ops_of(branch), "LeakyRelu");
  EXPECT_EQ(branch.nodes[0].attributes.get_float("alpha", 9), 0.25f);
  ASSERT_EQ(branch.captures.size(), 1u);
  EXPECT_EQ(branch.captures[0].outer, file.graph.inputs[0]);
}

TEST(FunctionTest, UsesTheDefaultsOfAttributes) {
  onnx::ModelProto model = calling("y = own.F (x)");
  add_default(add_function(model, "F", "(p) => (q) { q = LeakyRelu <alpha: float = @slope> (p) }"),
              "slope", 0.75f);
  EXPECT_EQ(read(model).graph.nodes[0].attributes.get_float("alpha", 9), 0.75f);
  onnx::AttributeProto& slope = model.graph->node[0].attribute.emplace_back();
  slope.name = "slope";
  slope.type = onnx::AttributeProto::FLOAT;
  slope.f = 0.125f;
  EXPECT_EQ(read(model).graph.nodes[0].attributes.get_float("alpha", 9), 0.125f);
}

TEST(FunctionTest, TellsOverloadsApart) {
  onnx::ModelProto model = calling("y = own.F (x)");
  add_function(model, "F", "(p) => (q) { q = Relu (p) }").overload = "relu";
  add_function(model, "F", "(p) => (q) { q = Neg (p) }").overload = "neg";
  model.graph->node[0].overload = "neg";
  EXPECT_EQ(ops_of(read(model).graph), "Neg");
  model.graph->node[0].overload.clear();
  EXPECT_THAT(refusal(model), HasSubstr("'F' of 'own' is not known"));
}

TEST(FunctionTest, ReadsNodesInTheFunctionsOwnOpset) {
  onnx::ModelProto model = calling("y = own.F (x)");
  onnx::FunctionProto& function =
      add_function(model, "F", "(p) => (q) { q = Clip <min = 0.0, max = 6.0> (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("no attribute"));
  function.opset_import[0].version = 6;
  EXPECT_EQ(ops_of(read(model).graph), "Clip");
}

TEST(FunctionTest, PassesOnAbsentInputsAndItsOwnInputs) {
  onnx::ModelProto model = calling("a, y = own.F (x)");
  add_function(model, "F", "(p, low, high) => (p, q) { q = Clip (p, low, high) }");
  const ModelFile file = read(model);
  EXPECT_EQ(ops_of(file.graph), "Clip Identity");
  EXPECT_EQ(file.graph.nodes[0].inputs.size(), 1u);
  EXPECT_EQ(file.graph.values[file.graph.nodes[1].outputs[0]].name, "a");
}

TEST(FunctionTest, RefusesCallsThatCannotBe) {
  onnx::ModelProto model = calling("y = own.F (x, x)");
  add_function(model, "F", "(p) => (q) { q = Relu (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("takes 1 inputs and gives 1 outputs, but the node has 2"));
  model = calling("y = own.F <a = 1> (x)");
  add_function(model, "F", "(p) => (q) { q = Relu (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("no attribute 'a'"));
  model = calling("y = own.F (x)");
  add_function(model, "F", "(p) => (q) { q = own.G (p) }");
  add_function(model, "G", "(p) => (q) { q = own.F (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("calls itself"));
  model = calling("y = own.F (x)");
  add_function(model, "F", "(p) => (q) { r = Relu (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("does not make its output 'q'"));
  add_function(model, "F", "(p) => (q) { q = Relu (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("defines the function 'F' of the domain 'own' twice"));
}

TEST(FunctionTest, SeesNothingOfItsCallersNames) {
  onnx::ModelProto model = calling("y = own.F (x)");
  add_function(model, "F", "(p) => (q) { q = Add (p, x) }");
  EXPECT_THAT(refusal(model), HasSubstr("makes its input 'x'"));
}

TEST(FunctionTest, RefusesFunctionsThatMultiplyWithoutEnd) {
  onnx::ModelProto model = calling("y = own.F0 (x)");
  for (int i = 0; i < 30; ++i) {
    const std::string next = "own.F" + std::to_string(i + 1);
    add_function(model, "F" + std::to_string(i),
                 "(p) => (q) { r = " + next + " (p) \n q = " + next + " (r) }");
  }
  add_function(model, "F30", "(p) => (q) { q = Relu (p) }");
  EXPECT_THAT(refusal(model), HasSubstr("over 1000000 nodes"));
}

}  // namespace
}  // namespace switchyard
