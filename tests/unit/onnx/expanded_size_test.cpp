// Models that would be too large or too deep are refused before any of them is built.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/small_models.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

std::string refusal_within(const onnx::ModelProto& model, const LimitsConfig& limits) {
  const std::string bytes = onnx::encode(model);
  try {
    read_model_bytes(bytes_of(bytes), {}, "m.onnx", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::model);
    return error.what();
  }
  return {};
}

// Functions F0 to F<count>, of which each calls the next so many times; the last is `last`.
onnx::ModelProto calls(int count, int times, const std::string& last) {
  onnx::ModelProto model = model_of("g (float[2] x) => (float[2] y) { y = own.F0 (x) }");
  add_import(model, "own", 1);
  for (int i = 0; i < count; ++i) {
    std::string body = "(v0) => (v" + std::to_string(times) + ") {";
    for (int k = 0; k < times; ++k) {
      body += " v" + std::to_string(k + 1) + " = own.F" + std::to_string(i + 1) + " (v" +
              std::to_string(k) + ")\n";
    }
    add_function(model, "F" + std::to_string(i), body + "}");
  }
  add_function(model, "F" + std::to_string(count), last);
  return model;
}

// An If in the branch of an If, and so on.
onnx::ModelProto nested(int depth) {
  std::string graph = "r = Neg (x)";
  for (int i = 0; i < depth; ++i) {
    graph = "r = If (c) <then_branch = t () => (r) { " + graph +
            " }, else_branch = e () => (s) { s = Abs (x) }>";
  }
  return model_of("g (float[2] x, bool c) => (float[2] r) { " + graph + " }");
}

TEST(ExpandedSize, RefusesAChainOfFunctionsThatIsTooDeep) {
  const std::string refused = refusal(calls(20'000, 1, "(p) => (q) { q = Relu (p) }"));
  EXPECT_THAT(refused, HasSubstr("m.onnx: "));
  EXPECT_THAT(refused, HasSubstr("lie more than 64 deep within each other"));
  EXPECT_THAT(refused, HasSubstr("limits.depth"));
  EXPECT_EQ(refusal(calls(63, 1, "(p) => (q) { q = Relu (p) }")), "");
}

TEST(ExpandedSize, CountsCallsOfFunctionsThatHoldNothing) {
  const onnx::ModelProto bomb = calls(40, 2, "(p) => (p) { }");
  EXPECT_THAT(refusal(bomb), HasSubstr("over 1000000 nodes; raise limits.nodes"));
}

TEST(ExpandedSize, CountsTheNodesOfBodies) {
  EXPECT_EQ(refusal_within(nested(2), {.nodes = 5}), "");
  EXPECT_THAT(refusal_within(nested(2), {.nodes = 4}), HasSubstr("over 4 nodes"));
}

// Each branch would be within the limit by itself.
TEST(ExpandedSize, CountsTheNodesOfItsOpsOwnBodiesInAllGraphs) {
  constexpr std::string_view kSoftmax =
      "com.microsoft.QLinearSoftmax <axis = -1, opset = 13> (x, s, z, s, z)";
  std::string graph;
  for (int i = 0; i < 20; ++i) {
    graph += fmt::format(
        " r{0} = If (c) <then_branch = t{0} () => (a{0}) {{ a{0} = {1} }},"
        " else_branch = e{0} () => (b{0}) {{ b{0} = {1} }}>",
        i, kSoftmax);
  }
  onnx::ModelProto model =
      model_of("g (uint8[2] x, float s, uint8 z, bool c) => (uint8[2] r19) { " + graph + " }");
  add_import(model, "com.microsoft", 1);
  EXPECT_EQ(refusal_within(model, {.nodes = 1000}), "");
  EXPECT_THAT(refusal_within(model, {.nodes = 100}),
              HasSubstr("bodies of its ops in their places the model has over 100 nodes"));
}

TEST(ExpandedSize, LimitsHowDeepBodiesNest) {
  EXPECT_EQ(refusal(nested(45)), "");
  EXPECT_EQ(refusal_within(nested(128), {.depth = 128}), "");
  EXPECT_EQ(refusal_within(nested(4), {.depth = 4}), "");
  EXPECT_THAT(refusal_within(nested(5), {.depth = 4}), HasSubstr("more than 4 deep"));
}

// A body in a function that a body calls: three levels.
TEST(ExpandedSize, AddsTheLevelsOfBodiesAndCalls) {
  onnx::ModelProto model = model_of(
      "g (float[2] x, bool c) => (float[2] y) {"
      "  y = If (c) <then_branch = t () => (r) { r = own.F (x) },"
      "              else_branch = e () => (s) { s = Abs (x) }> }");
  add_import(model, "own", 1);
  add_function(model, "F",
               "(p) => (q) { c = Constant <value = bool {1}> ()"
               " q = If (c) <then_branch = t () => (r) { r = Neg (p) },"
               "             else_branch = e () => (s) { s = Abs (p) }> }");
  EXPECT_EQ(refusal_within(model, {.depth = 3}), "");
  EXPECT_THAT(refusal_within(model, {.depth = 2}), HasSubstr("more than 2 deep"));
}

}  // namespace
}  // namespace switchyard
