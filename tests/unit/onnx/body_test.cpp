// Graphs inside graphs: captures, what bodies get and give, names that mean two things.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

const Graph& body(const Graph& graph, std::size_t node, std::size_t i = 0) {
  return *graph.nodes[node].bodies[i].second;
}

TEST(OnnxBodyTest, CapturesOuterValuesAtEveryLevel) {
  const ModelFile file = read(
      "g (bool c, float[2] x) => (float[2] y) {"
      "  y = If (c) <then_branch = a () => (float[2] p) {"
      "      p = If (c) <then_branch = b () => (float[2] q) { q = Relu (x) },"
      "                  else_branch = d () => (float[2] r) { r = Neg (x) }>"
      "    }, else_branch = e () => (float[2] s) { s = Abs (x) }> }");
  const Graph& outer = file.graph;
  const Node& node = outer.nodes[0];
  ASSERT_EQ(node.bodies.size(), 2u);
  EXPECT_EQ(node.bodies[0].first, "then_branch");
  const Graph& middle = body(outer, 0);
  const Graph& inner = body(middle, 0);
  ASSERT_EQ(inner.captures.size(), 1u);
  ASSERT_EQ(middle.captures.size(), 2u);  // the condition, and what the inner branches use
  EXPECT_EQ(inner.values[inner.captures[0].inner].name, "x");
  EXPECT_EQ(middle.values[inner.captures[0].outer].name, "x");
  for (const Capture& capture : middle.captures) {
    EXPECT_EQ(outer.values[capture.outer].name, middle.values[capture.inner].name);
  }
  EXPECT_EQ(output(inner, 0).dtype, DType::float32);
  EXPECT_EQ(output(outer, 0).shape, Dims{2});
}

TEST(OnnxBodyTest, SharesConstantsInsteadOfCapturingThem) {
  const ModelFile file = read(
      "g (bool c) => (float[2] y) <float[2] w = {1.0, 2.0}> {"
      "  y = If (c) <then_branch = a () => (float[2] p) { p = Relu (w) },"
      "              else_branch = b () => (float[2] q) { q = Neg (w) }> }");
  const Graph& branch = body(file.graph, 0);
  EXPECT_TRUE(branch.captures.empty());
  const Value& inner = input(branch, branch.nodes[0], 0);
  ASSERT_TRUE(inner.constant.has_value());
  EXPECT_EQ(inner.constant->bytes(), file.graph.values[0].constant->bytes());
}

TEST(OnnxBodyTest, LetsABranchGiveAnOuterValue) {
  const ModelFile file = read(
      "g (bool c, float[2] x) => (float[2] y) { z = Abs (x)"
      "  y = If (c) <then_branch = a () => (float[2] z) { },"
      "              else_branch = b () => (float[2] q) { q = Neg (x) }> }");
  const Graph& branch = body(file.graph, 1);
  ASSERT_EQ(branch.captures.size(), 1u);
  EXPECT_EQ(branch.outputs[0], branch.captures[0].inner);
}

TEST(OnnxBodyTest, MergesWhatBranchesGive) {
  const auto with = [](const std::string& p, const std::string& q) {
    return "g (bool c, float[2,3] x, float[2,4] w, int64[2] i) => (y) {"
           "  y = If (c) <then_branch = a () => (p) { p = " +
           p +
           " },"
           "              else_branch = b () => (q) { q = " +
           q + " }> }";
  };
  EXPECT_EQ(output(read(with("Relu (x)", "Relu (w)")).graph, 0).shape, (Dims{2, kUnknown}));
  EXPECT_FALSE(output(read(with("Relu (x)", "ReduceSum <keepdims = 0> (w)")).graph, 0).shape);
  EXPECT_THAT(refusal(with("Relu (x)", "Neg (i)")), HasSubstr("as float32 and as int64"));
}

TEST(OnnxBodyTest, ForgivesShapesThatCannotBeInABranchThatMayNeverRun) {
  // Exporters write such branches: only one of them fits the shape at hand.
  const std::string text =
      "g (bool c, float[2,3] x) => (y) { axes = Constant <value_ints = [0]> ()"
      "  y = If (c) <then_branch = a () => (p) { p = Squeeze (x, axes) },"
      "              else_branch = b () => (q) { q = Identity (x) }> }";
  EXPECT_EQ(output(read(text).graph, 0).dtype, DType::float32);
  EXPECT_THAT(refusal("g (float[2,3] x) => (y) { axes = Constant <value_ints = [0]> ()"
                      "  y = Squeeze (x, axes) }"),
              HasSubstr("the Squeeze that makes 'y'"));
}

TEST(OnnxBodyTest, TellsALoopsBodyWhatItGets) {
  const ModelFile file = read(
      "g (int64 n, bool c, float[2] x) => (z, s) {"
      "  z, s = Loop (n, c, x) <body = b (i, d, v) => (d2, w, t) {"
      "    d2 = Identity (d) \n w = Concat <axis = 0> (v, v) \n t = Cast <to = 1> (i) }> }");
  const Graph& loop = body(file.graph, 0);
  EXPECT_EQ(input(loop, 0).dtype, DType::int64);
  EXPECT_EQ(input(loop, 0).shape, Dims{});
  EXPECT_EQ(input(loop, 1).dtype, DType::bool_);
  EXPECT_EQ(input(loop, 2).dtype, DType::float32);
  EXPECT_FALSE(input(loop, 2).shape);  // grows from round to round
  EXPECT_EQ(output(file.graph, 0).dtype, DType::float32);
  EXPECT_FALSE(output(file.graph, 0).shape);
  EXPECT_EQ(output(file.graph, 1).shape, Dims{kUnknown});
}

TEST(OnnxBodyTest, TellsAScansBodyWhatItGets) {
  const ModelFile file = read(
      "g (float[3] a, float[5,7] x) => (b, y) {"
      "  b, y = Scan (a, x) <num_scan_inputs = 1, scan_input_axes = [1], scan_output_axes = [-1],"
      "    body = s (h, v) => (h2, w) { h2 = Relu (h) \n w = Neg (v) }> }");
  const Graph& scan = body(file.graph, 0);
  EXPECT_EQ(input(scan, 0).shape, Dims{3});
  EXPECT_EQ(input(scan, 1).shape, Dims{5});
  EXPECT_EQ(output(file.graph, 0).shape, Dims{3});
  EXPECT_EQ(output(file.graph, 1).shape, (Dims{5, kUnknown}));
}

TEST(OnnxBodyTest, RefusesBodiesThatDoNotFitTheirNode) {
  EXPECT_THAT(refusal("g (bool c, float[2] x) => (y) { y = If (c) <"
                      "  then_branch = a () => (p) { p = Relu (x) }> }"),
              HasSubstr("else_branch is missing"));
  EXPECT_THAT(refusal("g (bool c, float[2] x) => (y) { y = If (c) <"
                      "  then_branch = a () => (p, p) { p = Relu (x) },"
                      "  else_branch = b () => (q) { q = Relu (x) }> }"),
              HasSubstr("must have 0 inputs and 1 outputs, but has 0 and 2"));
  EXPECT_THAT(refusal("g (int64 n, float[2] x) => (y) {"
                      "  y = Loop (n, \"\", x) <body = b (i, d) => (d, i) { }> }"),
              HasSubstr("must have 3 inputs"));
  EXPECT_THAT(refusal("g (float[2] x) => (y) {"
                      "  y = Scan (x) <num_scan_inputs = 2, body = b (v) => (v) { }> }"),
              HasSubstr("num_scan_inputs is 2"));
  EXPECT_THAT(refusal("g (int64 n, float[2] x) => (y) {"
                      "  y = Loop (n, \"\", x) <body = b (i, d, int64[2] v) => (d, v) { }> }"),
              HasSubstr("declared as tensor(int64), but gets tensor(float32)"));
}

TEST(OnnxBodyTest, RefusesSequencesWhereTensorsAreWalkedOrCollected) {
  const std::string list = "s = SequenceConstruct (x, x) \n ";
  EXPECT_THAT(refusal("g (float[2] x) => (y) { " + list +
                      "y = Scan (s) <num_scan_inputs = 1, body = b (v) => (w) { w = Neg (v) }> }"),
              HasSubstr("must be a tensor, but 's' is a sequence"));
  EXPECT_THAT(refusal("g (float[2] x) => (y) { " + list +
                      "y = Scan (x) <num_scan_inputs = 1, body = b (v) => (w) {"
                      "  w = SequenceConstruct (v) }> }"),
              HasSubstr("[Scan]: its body gives a sequence for a scan output"));
  EXPECT_THAT(refusal("g (int64 n, float[2] x) => (y) { " + list +
                      "y = Loop (n, \"\", x) <body = b (i, d, v) => (d, w) {"
                      "  w = SequenceConstruct (v) }> }"),
              HasSubstr("[Loop]: its body gives a sequence for a carried value"));
  EXPECT_THAT(refusal("g (int64 x, int64 n) => (y) { " + list +
                      "y = Loop (s, \"\", n) <body = b (i, d, v) => (d, v) { }> }"),
              HasSubstr("must be a tensor, but 's' is a sequence"));
  EXPECT_THAT(refusal("g (float[2] x) => (y) { " + list +
                      "y = SequenceMap (s) <body = b (v) => (w) { w = SequenceConstruct (v) }> }"),
              HasSubstr("[SequenceMap]: its body gives a sequence for an element"));
}

TEST(OnnxBodyTest, RefusesScansThatCannotWalk) {
  const auto error = [](const std::string& attributes) {
    onnx::ModelProto model = model_of(
        "g (float[3] a, float[5,7] x) => (b, y) {"
        "  b, y = Scan (a, x) <num_scan_inputs = 1, " +
        attributes + ", body = s (h, v) => (h2, w) { h2 = Relu (h) \n w = Neg (v) }> }");
    model.graph->node[0].name = "walk";
    return refusal(model);
  };
  EXPECT_EQ(error("scan_input_directions = [1], scan_output_directions = [1]"), "");
  EXPECT_THAT(error("scan_input_directions = [2]"),
              HasSubstr("m.onnx: node 'walk' (Scan): scan_input_directions holds 2; each must be"));
  EXPECT_THAT(error("scan_output_directions = [-1]"), HasSubstr("scan_output_directions holds -1"));
  EXPECT_THAT(error("scan_input_axes = [0, 1]"),
              HasSubstr("scan_input_axes holds 2 numbers; it must hold 1"));
  EXPECT_THAT(error("scan_output_axes = [0, 1]"), HasSubstr("scan_output_axes holds 2 numbers"));
  EXPECT_THAT(error("scan_input_axes = [2]"),
              HasSubstr("scan_input_axes holds 2, which lies outside a rank of 2"));
  EXPECT_THAT(error("scan_output_axes = [-3]"), HasSubstr("scan_output_axes holds -3"));
}

TEST(OnnxBodyTest, LetsInnerNamesHideOuterOnes) {
  const ModelFile file = read(
      "g (bool c, float[2] x) => (y) { t = Abs (x)"
      "  y = If (c) <then_branch = a () => (p) { t = Relu (x) \n p = Neg (t) },"
      "              else_branch = b () => (q) { q = Neg (t) }> }");
  const Graph& branch = body(file.graph, 1);
  EXPECT_EQ(branch.nodes[1].inputs[0], branch.nodes[0].outputs[0]);
}

TEST(OnnxBodyTest, RefusesNamesThatMayMeanTwoThings) {
  EXPECT_THAT(refusal("g (int64 n, float[2] x) => (y) { t = Abs (x)"
                      "  y = Loop (n, \"\", x) <body = b (i, d, v) => (d, p) {"
                      "    p = Neg (t) \n t = Relu (v) }> }"),
              HasSubstr("'t' may mean a value of the graph around"));
}

TEST(OnnxBodyTest, OrdersNodesByWhatTheirBodiesUse) {
  const ModelFile file = read(
      "g (bool c, float[2] x) => (y) {"
      "  y = If (c) <then_branch = a () => (p) { p = Neg (t) },"
      "              else_branch = b () => (q) { q = Abs (t) }>"
      "  t = Relu (x) }");
  EXPECT_EQ(ops_of(file.graph), "Relu If");
}

}  // namespace
}  // namespace switchyard
