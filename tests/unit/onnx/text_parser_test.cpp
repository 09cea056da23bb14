// ONNX's text syntax, as rows and tests use it.
#include "onnx/text/text_parser.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/dtype.hpp>
#include <switchyard/error.hpp>

#include "onnx/proto/messages.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

onnx::NodeProto node_of(const std::string& node) {
  return parse_function_text("(x) => (y) { " + node + " }").node[0];
}

std::string complaint(const std::string& text) {
  try {
    parse_function_text(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    return error.what();
  }
  return {};
}

TEST(TextParserTest, ReadsFunctions) {
  const onnx::FunctionProto function = parse_function_text(
      "(a, b) => (c) { # what it does\n  t = Add (a, b)\n  c, d = my.domain.Op (t, , \"\", b) }");
  EXPECT_THAT(function.input, ElementsAre("a", "b"));
  EXPECT_THAT(function.output, ElementsAre("c"));
  ASSERT_EQ(function.node.size(), 2u);
  EXPECT_EQ(function.node[0].op_type, "Add");
  EXPECT_EQ(function.node[0].domain, "");
  EXPECT_EQ(function.node[1].op_type, "Op");
  EXPECT_EQ(function.node[1].domain, "my.domain");
  EXPECT_THAT(function.node[1].input, ElementsAre("t", "", "", "b"));
  EXPECT_THAT(function.node[1].output, ElementsAre("c", "d"));
}

TEST(TextParserTest, ReadsAttributesOfEveryKind) {
  const onnx::NodeProto node = node_of(
      "y = Op <i = -3, f = 1.5e-2, g: float = 2, s = \"text\", is = [1, -2], fs = [1, 2.5], e = [],"
      " es: floats = [], ss = [\"a\", \"b\"], r = @other, q: int = @other,"
      " t = int64[2] {4, 5}, body = sub (int64 k) => (k) { }> (x)");
  const auto& a = node.attribute;
  EXPECT_EQ(a[0].i, -3);
  EXPECT_FLOAT_EQ(*a[1].f, 0.015f);
  EXPECT_EQ(a[2].type, onnx::AttributeProto::FLOAT);
  EXPECT_EQ(a[3].s, "text");
  EXPECT_THAT(a[4].ints, ElementsAre(1, -2));
  EXPECT_THAT(a[5].floats, ElementsAre(1.0f, 2.5f));
  EXPECT_EQ(a[6].type, onnx::AttributeProto::INTS);
  EXPECT_EQ(a[7].type, onnx::AttributeProto::FLOATS);
  EXPECT_THAT(a[8].strings, ElementsAre("a", "b"));
  EXPECT_EQ(a[9].ref_attr_name, "other");
  EXPECT_EQ(a[10].type, onnx::AttributeProto::INT);
  EXPECT_THAT(a[11].t->int64_data, ElementsAre(4, 5));
  EXPECT_THAT(a[11].t->dims, ElementsAre(2));
  EXPECT_EQ(a[12].g->name, "sub");
}

TEST(TextParserTest, ReadsAttributesOnEitherSide) {
  EXPECT_EQ(node_of("y = Op <a = 1> (x)").attribute[0].i, 1);
  EXPECT_EQ(node_of("y = Op (x) <a = 1>").attribute[0].i, 1);
}

TEST(TextParserTest, ReadsNumbersThatAreNone) {
  const std::vector<float> floats =
      node_of("y = Op <f = [inf, -inf, nan, 1.0]> (x)").attribute[0].floats;
  EXPECT_TRUE(std::isinf(floats[0]) && floats[0] > 0);
  EXPECT_TRUE(std::isinf(floats[1]) && floats[1] < 0);
  EXPECT_TRUE(std::isnan(floats[2]));
}

TEST(TextParserTest, ReadsGraphsWithTypes) {
  const onnx::GraphProto graph = parse_graph_text(
      "g (float[N, 3, ?] a, int64 b, double[] c, seq(float[2]) d, info) => (y)"
      " <float[2] w = {1.0, -2.0}, bool f = {1}> { y = Relu (a) }");
  EXPECT_EQ(graph.name, "g");
  const auto& shape = *graph.input[0].type->tensor_type->shape;
  EXPECT_EQ(shape.dim[0].dim_param, "N");
  EXPECT_EQ(shape.dim[1].dim_value, 3);
  EXPECT_FALSE(shape.dim[2].dim_value.has_value() || shape.dim[2].dim_param.has_value());
  EXPECT_TRUE(graph.input[1].type->tensor_type->shape.has_value());
  EXPECT_FALSE(graph.input[2].type->tensor_type->shape.has_value());
  EXPECT_EQ(graph.input[2].type->tensor_type->elem_type, static_cast<std::int32_t>(DType::float64));
  EXPECT_TRUE(graph.input[3].type->sequence_type.has_value());
  EXPECT_EQ(graph.input[4].name, "info");
  EXPECT_FALSE(graph.input[4].type.has_value());
  EXPECT_EQ(graph.initializer[0].name, "w");
  EXPECT_THAT(graph.initializer[0].float_data, ElementsAre(1.0f, -2.0f));
}

TEST(TextParserTest, SaysWhereATextBreaksTheSyntax) {
  EXPECT_THAT(complaint("(x) => (y) {\n y = Relu (x"), HasSubstr("line 2: ')' is missing"));
  EXPECT_THAT(complaint("(x) (y) { }"), HasSubstr("'=>' is missing"));
  EXPECT_THAT(complaint("(x) => (y) { } z"), HasSubstr("should have ended"));
  EXPECT_THAT(complaint("(x) => (y) { y = Op <a = quux {1}> (x) }"),
              HasSubstr("not an element type"));
  EXPECT_THAT(complaint("(x) => (y) { y = Op <a: quux = 1> (x) }"), HasSubstr("not a kind"));
  EXPECT_THAT(complaint("(x) => (y) { y = Op <a = \"> (x) }"), HasSubstr("no closing quote"));
  EXPECT_THAT(complaint("(x) => (y) { y = Op <a = [1 2]> (x) }"), HasSubstr("',' is missing"));
}

}  // namespace
}  // namespace switchyard
