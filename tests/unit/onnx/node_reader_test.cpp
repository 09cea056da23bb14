// Nodes: their way to canonical form, and what is refused on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

TEST(NodeReaderTest, RewritesOldFormsToTheCanonicalOne) {
  const ModelFile file =
      read("g (float[2] x) => (float[2] y) { y = Clip <min = 0.5, max = 2.5> (x) }", 6);
  ASSERT_EQ(ops_of(file.graph), "Clip");
  const Node& clip = file.graph.nodes[0];
  ASSERT_EQ(clip.inputs.size(), 3u);
  EXPECT_FALSE(clip.attributes.has("min"));
  EXPECT_THAT(input(file.graph, clip, 1).constant->values<float>(), ElementsAre(0.5f));
  EXPECT_THAT(input(file.graph, clip, 2).constant->values<float>(), ElementsAre(2.5f));
}

TEST(NodeReaderTest, AddsTheNodesThatARewritingNeeds) {
  // Up to opset 12 Softmax flattens what lies behind its axis.
  const ModelFile file =
      read("g (float[2,3,4] x) => (float[2,3,4] y) { y = Softmax <axis = 1> (x) }", 11);
  EXPECT_GT(file.graph.nodes.size(), 1u);
  EXPECT_THAT(ops_of(file.graph), HasSubstr("Softmax"));
  EXPECT_EQ(output(file.graph, 0).name, "y");
  ASSERT_TRUE(output(file.graph, 0).shape.has_value());
  EXPECT_EQ(output(file.graph, 0).shape->size(), 3u);
  for (const Node& node : file.graph.nodes) EXPECT_FALSE(node.name.empty());
}

// If each search for a free name began at the first one, this would take minutes.
TEST(NodeReaderTest, NamesTheValuesOfManyNodesOfOneName) {
  constexpr std::size_t kNodes = 50'000;
  onnx::ModelProto model = model_of("g (float[2] x) => (float[2] y) { y = Identity (x) }", 6);
  const onnx::NodeProto clip =
      model_of("g (float[2] x) => (float[2] y) { y = Clip <min = 0.5> (x) }").graph->node[0];
  for (std::size_t i = 0; i < kNodes; ++i) {
    onnx::NodeProto& node = model.graph->node.emplace_back(clip);
    node.name = "same";
    node.output[0] = "y" + std::to_string(i);
  }
  EXPECT_EQ(read(model).graph.nodes.size(), kNodes + 1);
}

TEST(NodeReaderTest, SetsDefaultsOfTheModelsVersion) {
  const ModelFile old = read("g (float[2,3] x) => (float[2,3] y) { y = LogSoftmax (x) }", 13);
  EXPECT_EQ(old.graph.nodes[0].attributes.get_int("axis", 99), -1);
}

TEST(NodeReaderTest, TurnsConstantsIntoValues) {
  const ModelFile file = read(
      "g () => (float[] a, float[] b, int64[] c, int64[] d, string[] e, string[] f, float[] g) {"
      "  a = Constant <value_float = 1.5> ()"
      "  b = Constant <value_floats = [1.0, 2.0]> ()"
      "  c = Constant <value_int = 3> ()"
      "  d = Constant <value_ints = [4, 5]> ()"
      "  e = Constant <value_string = \"six\"> ()"
      "  f = Constant <value_strings = [\"seven\", \"eight\"]> ()"
      "  g = Constant <value = float[1,2] {9.0, 10.0}> () }");
  EXPECT_TRUE(file.graph.nodes.empty());
  const auto constant = [&](std::size_t i) { return *output(file.graph, i).constant; };
  EXPECT_EQ(constant(0).shape(), Dims{});
  EXPECT_THAT(constant(0).values<float>(), ElementsAre(1.5f));
  EXPECT_THAT(constant(1).values<float>(), ElementsAre(1.0f, 2.0f));
  EXPECT_EQ(constant(2).shape(), Dims{});
  EXPECT_THAT(constant(2).to_int64s(), ElementsAre(3));
  EXPECT_THAT(constant(3).to_int64s(), ElementsAre(4, 5));
  EXPECT_THAT(constant(4).strings(), ElementsAre("six"));
  EXPECT_THAT(constant(5).strings(), ElementsAre("seven", "eight"));
  EXPECT_EQ(constant(6).shape(), (Dims{1, 2}));
}

TEST(NodeReaderTest, RefusesConstantsThatAreNone) {
  EXPECT_THAT(refusal("g () => (float[] a) { a = Constant () }"), HasSubstr("one attribute"));
  EXPECT_THAT(refusal("g () => (float[] a) { a, b = Constant <value_int = 1> () }"),
              HasSubstr("one output"));
}

TEST(NodeReaderTest, LeavesOutTrailingAbsentInputsAndOutputs) {
  const ModelFile file = read(
      "g (float[4] x, float h) => (float[4] y) { y = Clip (x, \"\", h) \n z = Clip (x, \"\", \"\")"
      " m, \"\" = Dropout (x) }");
  EXPECT_EQ(file.graph.nodes[0].inputs.size(), 3u);
  EXPECT_EQ(file.graph.nodes[0].inputs[1], kAbsent);
  EXPECT_EQ(file.graph.nodes[1].inputs.size(), 1u);
  EXPECT_EQ(file.graph.nodes[2].outputs.size(), 1u);
}

TEST(NodeReaderTest, NamesTheNodeInEveryRefusal) {
  onnx::ModelProto model = model_of("g (float[2] x) => (float[2] y) { y = Nope (x) }");
  EXPECT_THAT(refusal(model),
              StartsWith("m.onnx: the Nope that makes 'y': the op 'Nope' of opset 17"));
  model.graph->node[0].name = "first";
  EXPECT_THAT(refusal(model), StartsWith("m.onnx: node 'first' (Nope): "));
}

TEST(NodeReaderTest, RefusesOpsThatItDoesNotKnowByNameAndVersion) {
  onnx::ModelProto model =
      model_of("g (float[2] x) => (float[2] y) { y = com.microsoft.FusedGelu (x) }");
  EXPECT_THAT(refusal(model), HasSubstr("'com.microsoft' without importing"));
  add_import(model, "com.microsoft", 1);
  EXPECT_THAT(refusal(model), HasSubstr("'FusedGelu' of 'com.microsoft' version 1"));
  EXPECT_THAT(refusal("g (float[2] x) => (float[2] y) { y = HardSwish (x) }", 13),
              HasSubstr("read from opset 14 on; the model declares opset 13"));
}

TEST(NodeReaderTest, RefusesWrongAttributes) {
  const auto with = [](const std::string& attributes) {
    return refusal("g (float[2] x) => (float[2] y) { y = LeakyRelu <" + attributes + "> (x) }");
  };
  EXPECT_EQ(with("alpha = 0.5"), "");
  EXPECT_THAT(with("beta = 0.5"), HasSubstr("no attribute \"beta\""));
  EXPECT_THAT(with("alpha = \"a\""), HasSubstr("of kind float, not text"));
  EXPECT_THAT(with("alpha = 0.5, alpha = 0.6"), HasSubstr("'alpha' twice"));
  EXPECT_THAT(with("alpha = @alpha"), HasSubstr("lies in no function"));
  EXPECT_THAT(with("alpha = g () => (x) { }"), HasSubstr("no body 'alpha'"));
  EXPECT_THAT(refusal("g (float[2] x) => (float[2] y) { y = Cast (x) }"),
              HasSubstr("\"to\" is required"));
}

TEST(NodeReaderTest, RefusesWrongInputsAndOutputs) {
  const auto of = [](const std::string& nodes) {
    return refusal("g (float[2] x, int64[2] i) => (float[2] y) { " + nodes + " }");
  };
  EXPECT_EQ(of("y = Add (x, x)"), "");
  EXPECT_THAT(of("y = Add (x)"), HasSubstr("input 1 (B) is missing"));
  EXPECT_THAT(of("y = Add (x, x, x)"),
              HasSubstr("3 inputs, but its version of the op has at most 2"));
  EXPECT_THAT(of("y, z = Add (x, x)"), HasSubstr("2 outputs"));
  EXPECT_THAT(of("y = Add (x, i)"), HasSubstr("int64"));
  EXPECT_THAT(of("y = Sqrt (i)"), HasSubstr("input 0 (X) is int64; version 13 of the op takes"));
  EXPECT_THAT(of("y = Relu (q)"), HasSubstr("no node, input or initializer makes its input 'q'"));
  EXPECT_THAT(of("z = Relu (x)"), HasSubstr("output 'y': no node"));
  EXPECT_THAT(of("y = Relu (x) \n y = Abs (x)"), HasSubstr("'y' is made by an earlier node too"));
  EXPECT_THAT(of("x = Relu (y) \n y = Abs (i)"), HasSubstr("'x' is given to two values"));
  EXPECT_THAT(of("a = Relu (b) \n b = Abs (a) \n y = Neg (b)"), HasSubstr("cycle"));
  EXPECT_THAT(of("y = Relu (y)"), HasSubstr("cycle"));
  EXPECT_THAT(of("y = SequenceLength (x)"), HasSubstr("must be a sequence"));
}

TEST(NodeReaderTest, HoldsAModelToItsOwnVersionsTypes) {
  // bfloat16 came to Relu with version 13.
  constexpr std::string_view kText = "g (bfloat16[2] x) => (bfloat16[2] y) { y = Relu (x) }";
  EXPECT_THAT(refusal(kText, 12), HasSubstr("is bfloat16; version 6 of the op takes"));
  EXPECT_EQ(refusal(kText, 13), "");
}

// Until 22 the scale of QuantizeLinear had the type of what it divides.
TEST(NodeReaderTest, HoldsAModelToWhatItsVersionHasOneTypeFor) {
  constexpr std::string_view kText =
      "g (float16[2] x, float s) => (y) { y = QuantizeLinear (x, s) }";
  EXPECT_THAT(refusal(kText, 19), HasSubstr("input 1 (y_scale) is float32, but another value of "
                                            "its type T1 is float16; version 19 of the op has"));
  EXPECT_THAT(refusal(kText, 21), HasSubstr("version 21 of the op has one type for both"));
  EXPECT_EQ(refusal(kText, 23), "");
  constexpr std::string_view kInt32 =
      "g (int32[2] x, float s) => (y) { y = QuantizeLinear (x, s) }";
  EXPECT_EQ(refusal(kInt32, 13), "") << "before 19 a scale was float32 always";
}

TEST(NodeReaderTest, HoldsAModelToTheResultsOfItsVersion) {
  // float4e2m1, number 23, came with version 23; a DequantizeLinear gives real numbers.
  constexpr std::string_view kQuantize =
      "g (float[2] x, float s) => (y) { y = QuantizeLinear <output_dtype = 23> (x, s) }";
  EXPECT_THAT(refusal(kQuantize, 21),
              HasSubstr("output 0 (y) is float4e2m1; version 21 of the op gives"));
  EXPECT_EQ(refusal(kQuantize, 23), "");
  constexpr std::string_view kCast = "g (float[2] x) => (y) { y = Cast <to = 16> (x) }";
  EXPECT_THAT(refusal(kCast, 12),
              HasSubstr("output 0 (output) is bfloat16; version 9 of the op gives"));
  EXPECT_EQ(refusal(kCast, 13), "");
  EXPECT_THAT(refusal("g (uint8[2] x, float s) => (y) {"
                      " y = DequantizeLinear <output_dtype = 3> (x, s) }",
                      23),
              HasSubstr("int8"));
}

// In older versions these are attributes; their lengths are checked where the newest has inputs.
TEST(NodeReaderTest, RefusesListsOfOlderVersionsThatDoNotFit) {
  const auto of = [](const std::string& node, int opset) {
    return refusal("g (float[1,2,3,4] x) => (y) { " + node + " }", opset);
  };
  EXPECT_EQ(of("y = Slice <starts = [0, 0], ends = [1, 1], axes = [1, 2]> (x)", 7), "");
  EXPECT_NE(of("y = Slice <starts = [0, 0], ends = [1]> (x)", 7), "");
  EXPECT_NE(of("y = Slice <starts = [0], ends = [1], axes = [1, 2]> (x)", 7), "");
  EXPECT_NE(of("y = Slice <starts = [0], ends = [1], axes = [4]> (x)", 7), "");
  EXPECT_NE(of("y = Upsample <scales = [1.0, 2.0]> (x)", 7), "");
  EXPECT_NE(of("y = Upsample <scales = [1.0, 1.0, 2.0, -2.0]> (x)", 7), "");
  EXPECT_NE(of("y = Pad <pads = [1, 1]> (x)", 7), "");
  EXPECT_NE(of("y, z = Split <axis = 3, split = [4]> (x)", 7), "");
  EXPECT_NE(of("y = Squeeze <axes = [4]> (x)", 7), "");
  EXPECT_NE(of("y = Unsqueeze <axes = [0, 0]> (x)", 7), "");
  EXPECT_NE(of("y = ReduceSum <axes = [1, 1]> (x)", 7), "");
  EXPECT_NE(
      of("y = Resize <axes = [1, 1]> (x, \"\", \"\", s)  s = Constant <value_ints = [2, 2]> ()",
         18),
      "");
}

TEST(NodeReaderTest, RefusesShapesThatCannotBe) {
  EXPECT_THAT(refusal("g (float[2,3] a, float[4,5] b) => (float[] y) { y = MatMul (a, b) }"),
              StartsWith("m.onnx: the MatMul that makes 'y': "));
}

TEST(NodeReaderTest, KnowsSequencesAndOptionals) {
  const ModelFile file = read(
      "g (float[2] x, optional(seq(int64[])) o) => (seq(float[]) s, seq(int64[]) e, bool h) {"
      "  s = SequenceConstruct (x, x) \n e = OptionalGetElement (o) \n h = OptionalHasElement (o) "
      "}");
  EXPECT_EQ(input(file.graph, 1).kind, ValueKind::optional);
  EXPECT_TRUE(input(file.graph, 1).optional_of_sequence);
  EXPECT_EQ(output(file.graph, 0).kind, ValueKind::sequence);
  EXPECT_EQ(output(file.graph, 0).dtype, DType::float32);
  EXPECT_EQ(output(file.graph, 1).kind, ValueKind::sequence);
  EXPECT_EQ(output(file.graph, 1).dtype, DType::int64);
  EXPECT_EQ(output(file.graph, 2).dtype, DType::bool_);
}

TEST(NodeReaderTest, ReadsTheTypeOfAnEmptyOptional) {
  onnx::ModelProto model = model_of("g () => (optional(seq(int64[])) y) { y = Optional () }");
  onnx::AttributeProto& type = model.graph->node[0].attribute.emplace_back();
  type.name = "type";
  type.type = onnx::AttributeProto::TYPE_PROTO;
  type.tp = model.graph->output[0].type->optional_type->elem_type;
  const ModelFile file = read(model);
  EXPECT_EQ(output(file.graph, 0).kind, ValueKind::optional);
  EXPECT_TRUE(output(file.graph, 0).optional_of_sequence);
  EXPECT_EQ(output(file.graph, 0).dtype, DType::int64);
}

}  // namespace
}  // namespace switchyard
