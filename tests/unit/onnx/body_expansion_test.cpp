// Function bodies of rows, put in the place of nodes.
#include "onnx/bodies/body_expansion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using testing::ElementsAre;

std::vector<Value> values_of(const Graph& graph, const std::vector<ValueId>& ids) {
  std::vector<Value> values;
  for (const ValueId id : ids) values.push_back(id == kAbsent ? Value{} : graph.values[id]);
  return values;
}

/// The body of the one node that a graph's text has.
Graph expanded(const std::string& text) {
  const ModelFile file = read(text, 21);
  const Node& node = file.graph.nodes.front();
  return expand_body(node, values_of(file.graph, node.inputs));
}

TEST(BodyExpansionTest, GivesTheBodyAttributesTypesAndShapes) {
  const Graph body =
      expanded("g (float[2,3] x) => (float[2,3] y) { y = LeakyRelu <alpha = 0.25> (x) }");
  ASSERT_EQ(body.inputs.size(), 1u);
  ASSERT_EQ(body.outputs.size(), 1u);
  EXPECT_EQ(output(body, 0).dtype, DType::float32);
  EXPECT_EQ(output(body, 0).shape, (Dims{2, 3}));
  bool has_alpha = false;
  for (const Value& value : body.values) {
    if (!value.constant || value.dtype != DType::float32) continue;
    has_alpha = has_alpha || value.constant->values<float>()[0] == 0.25f;
  }
  EXPECT_TRUE(has_alpha);
  for (const Node& node : body.nodes) EXPECT_NE(node.op->name(), "LeakyRelu");
}

TEST(BodyExpansionTest, TakesConstantsIntoTheBody) {
  const Graph body =
      expanded("g (float[2] x) => (float[2] y) <float[1] s = {0.5}> { y = PRelu (x, s) }");
  ASSERT_EQ(body.inputs.size(), 2u);
  EXPECT_NE(body.inputs[0], kAbsent);
  EXPECT_EQ(body.inputs[1], kAbsent);
}

TEST(BodyExpansionTest, EveryBodyTakesItsRowsInputsAndOutputsInOrder) {
  int bodies = 0;
  for (const Op& op : all_ops()) {
    if (op.row->body.empty()) continue;
    ++bodies;
    const onnx::FunctionProto function = parse_function_text(op.row->body);
    std::vector<std::string> inputs;
    for (const Formal& formal : op.canonical.inputs) inputs.emplace_back(formal.name);
    EXPECT_THAT(function.input, testing::ElementsAreArray(inputs)) << op.name();
    std::vector<std::string> outputs;
    for (const Formal& formal : op.canonical.outputs) outputs.emplace_back(formal.name);
    EXPECT_THAT(function.output, testing::ElementsAreArray(outputs)) << op.name();
  }
  EXPECT_GT(bodies, 0);
}

TEST(BodyExpansionTest, RefusesAnOpWithoutABody) {
  try {
    expanded("g (float[2] x) => (float[2] y) { y = Abs (x) }");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::internal);
    EXPECT_THAT(error.what(), testing::HasSubstr("its function body is missing"));
  }
}

}  // namespace
}  // namespace switchyard
