// What cannot be read in a branch of an If is told when the branch is taken, and not before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/contrib_models.hpp"
#include "tensor/host_tensor.hpp"

namespace switchyard {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// An If whose else branch makes `e` of x by `nodes`.
std::string with_branch(const std::string& nodes) {
  return "g (bool c, float[2] x) => (float[2] y) {"
         "  y = If (c) <then_branch = a () => (float[2] t) { t = Neg (x) },"
         "              else_branch = b () => (float[2] e) { " +
         nodes + " }> }";
}

Model load(onnx::ModelProto message, const std::string& limits = {}) {
  add_import(message, "com.acme", 1);
  const std::string bytes = onnx::encode(message);
  return Model::from_bytes(start({{"cpu"}, "", limits}), bytes_of(bytes));
}
Model load(const std::string& nodes) { return load(contrib_model(with_branch(nodes))); }

Floats run(const Model& model, bool condition) {
  const Tensor decided = host_scalar(condition);
  const Tensor x = floats({2}, {1, -2});
  return model.run({{"c", decided}, {"x", x}})[0].tensor.to_vector<float>();
}

/// What a run that takes the branch ends with; one that does not must succeed.
std::string told(const Model& model) {
  EXPECT_EQ(run(model, true), (Floats{-1, 2}));
  const Error error = error_of([&] { run(model, false); });
  EXPECT_EQ(error.kind(), ErrorKind::model);
  return error.what();
}

TEST(RefusedBranch, OfAnOpOrDomainThatIsNotKnown) {
  EXPECT_EQ(told(load("e = NoSuch (x)")),
            "model in memory: the NoSuch that makes 'e': the op 'NoSuch' of opset 21 is not "
            "supported; export the model without it");
  EXPECT_THAT(told(load("e = com.acme.Foo (x)")),
              StartsWith("model in memory: the Foo that makes 'e': the op 'Foo' of 'com.acme'"));
  EXPECT_THAT(told(load("e = com.other.Foo (x)")), HasSubstr("the Foo that makes 'e'"));
}

TEST(RefusedBranch, OfAVersionADtypeOrAnAttributeThatIsNotSupported) {
  EXPECT_THAT(told(load("e = RMSNormalization (x, x)")), HasSubstr("is read from opset 23 on"));
  EXPECT_THAT(told(load("q = Relu (x) \n e = BitwiseNot (q)")),
              HasSubstr("the BitwiseNot that makes 'e': input 0 (X) is float32"));
  EXPECT_THAT(told(load("e = Softmax <axes = 1> (x)")), HasSubstr("has no attribute \"axes\""));
}

TEST(RefusedBranch, IsTheInnermost) {
  const Model model = load(
      "e = If (c) <then_branch = f () => (float[2] u) { u = NoSuch (x) },"
      "            else_branch = h () => (float[2] v) { v = Abs (x) }>");
  EXPECT_EQ(run(model, true), (Floats{-1, 2}));
  EXPECT_EQ(run(model, false), (Floats{1, 2}));
}

TEST(RefusedBranch, OfALoopInIt) {
  EXPECT_THAT(told(load("n = Constant <value = int64 {2}> ()"
                        " e = Loop (n, \"\", x) <body = l (i, d, v) => (d, w) {"
                        "   w = NoSuch (v) }>")),
              StartsWith("model in memory: the NoSuch that makes 'w': "));
}

TEST(RefusedBranch, OfAFunctionThatOnlyBranchesCall) {
  onnx::ModelProto message = contrib_model(
      "g (bool c, float[2] x) => (float[2] y) {"
      "  y = If (c) <then_branch = a () => (float[2] t) { t = com.acme.Twice (x) },"
      "              else_branch = b () => (float[2] e) { e = com.acme.Twice (x) }> }");
  onnx::FunctionProto function =
      parse_function_text("(v) => (w) { u = Abs (v) \n w = NoSuch (u) }");
  function.domain = "com.acme";
  function.name = "Twice";
  function.opset_import = message.opset_import;
  message.functions.push_back(function);
  const Model model = load(message);
  for (const bool condition : {true, false}) {
    EXPECT_THAT(error_of([&] { run(model, condition); }).what(),
                AllOf(HasSubstr("NoSuch"), HasSubstr("is not supported")));
  }
}

TEST(RefusedBranch, HasNoSayInWhatTheIfGives) {
  const Model model =
      load(contrib_model("g (bool c, float[2,3] x) => (y) {"
                         "  z = If (c) <then_branch = a () => (t) { t = Neg (x) },"
                         "              else_branch = b () => (e) { e = NoSuch (x) }>"
                         "  y = Relu (z) }"));
  EXPECT_EQ(model.outputs()[0].dtype, DType::float32);
  EXPECT_EQ(model.outputs()[0].shape, (Dims{2, 3}));
}

TEST(RefusedBranch, IsExplained) {
  const std::vector<NodeExplanation> nodes = load("e = NoSuch (x)").explain();
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(nodes[0].op, "If");
  EXPECT_EQ(nodes[0].device, "host");
  ASSERT_EQ(nodes[0].trail.size(), 2U);
  EXPECT_EQ(nodes[0].trail[1].verdict, "refused");
  EXPECT_THAT(nodes[0].trail[1].reason,
              AllOf(StartsWith("its else_branch cannot be run: model in memory: the NoSuch"),
                    EndsWith("export the model without it")));
}

TEST(RefusedBranch, DoesNotHideALimit) {
  const onnx::ModelProto message = contrib_model(with_branch("e = com.microsoft.BiasGelu (x, x)"));
  EXPECT_THAT(error_of([&] { load(message, "[limits]\nnodes = 3\n"); }).what(),
              HasSubstr("raise limits.nodes"));
}

TEST(RefusedBranch, IsOfAnIfAlone) {
  EXPECT_THAT(
      refusal("g (int64 n, float[2] x) => (y) {"
              "  y = Loop (n, \"\", x) <body = b (i, d, v) => (d, w) { w = NoSuch (v) }> }"),
      HasSubstr("NoSuch"));
}

}  // namespace
}  // namespace switchyard
