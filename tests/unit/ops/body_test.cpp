// Function bodies are ONNX text: ONNX's own parser reads each, and it fits its row.
#ifdef SWITCHYARD_ONNX_LIBRARY

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <onnx/defs/parser.h>

#include "ops/row.hpp"

namespace switchyard {
namespace {

std::set<std::string> names_of(const std::vector<Formal>& formals) {
  std::set<std::string> names;
  for (const Formal& formal : formals) names.emplace(formal.name);
  return names;
}

onnx::FunctionProto parse_body(const Op& op) {
  const std::string text = "<domain: \"bodies\", opset_import: [\"\" : 21]>\n" +
                           std::string(op.name()) + " " + std::string(op.row->body);
  onnx::FunctionProto function;
  const auto status = onnx::OnnxParser::Parse(function, text.c_str());
  EXPECT_TRUE(status.IsOK()) << op.name() << ": " << status.ErrorMessage();
  return function;
}

TEST(BodyTest, EachIsAFunctionOfItsRowsInputs) {
  int bodies = 0;
  for (const Op& op : all_ops()) {
    if (op.row->body.empty()) continue;
    ++bodies;
    const onnx::FunctionProto function = parse_body(op);
    EXPECT_EQ(std::set<std::string>(function.input().begin(), function.input().end()),
              names_of(op.canonical.inputs))
        << op.name();
    EXPECT_EQ(std::set<std::string>(function.output().begin(), function.output().end()),
              names_of(op.canonical.outputs))
        << op.name();
  }
  EXPECT_GT(bodies, 0);
}

TEST(BodyTest, EachUsesOpsAndAttributesThatThereAre) {
  for (const Op& op : all_ops()) {
    if (op.row->body.empty()) continue;
    const onnx::FunctionProto function = parse_body(op);
    for (const onnx::NodeProto& node : function.node()) {
      EXPECT_NE(find_op(node.domain(), node.op_type()), nullptr)
          << op.name() << " uses " << node.op_type();
      EXPECT_FALSE(node.op_type() == op.name() && node.domain() == op.row->domain) << op.name();
      for (const onnx::AttributeProto& attribute : node.attribute()) {
        if (attribute.ref_attr_name().empty()) continue;
        const auto& specs = op.canonical.attributes;
        EXPECT_TRUE(std::any_of(
            specs.begin(), specs.end(),
            [&](const AttributeSpec& spec) { return spec.name == attribute.ref_attr_name(); }))
            << op.name() << " has no " << attribute.ref_attr_name();
      }
    }
  }
}

}  // namespace
}  // namespace switchyard

#endif  // SWITCHYARD_ONNX_LIBRARY
