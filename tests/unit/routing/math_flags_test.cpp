// What [precision] asks of nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "routing/router.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Runtime start_with(const std::string& deterministic) {
  return start({.order = {"refuses_determinism", "cpu"},
                .routing = "fallback = \"allow\"",
                .sections = "[precision]\ndeterministic = " + deterministic + "\n"});
}

std::uint32_t flags_of(const std::string& op, const std::string& precision) {
  const Runtime runtime = start({.order = {"cpu"}, .sections = "[precision]\n" + precision});
  return runtime.engine()->router->policy()->math_flags(op);
}

TEST(MathFlags, SayWhatProductsMayRoundTo) {
  EXPECT_EQ(flags_of("MatMul", ""), 0u);
  EXPECT_EQ(flags_of("Gemm", "matmul = 'tf32'"), SY_MATH_TF32);
  EXPECT_EQ(flags_of("MatMul", "matmul = 'bfloat16'"), SY_MATH_TF32 | SY_MATH_BFLOAT16);
  EXPECT_EQ(flags_of("Conv", "matmul = 'bfloat16'"), 0u);
  EXPECT_EQ(flags_of("Conv", "convolution = 'tf32'"), SY_MATH_TF32);
  EXPECT_EQ(flags_of("Conv", "float16_sums = true"), SY_MATH_FLOAT16_SUMS);
}

TEST(MathFlags, OfOtherOpsAreNone) {
  EXPECT_EQ(flags_of("Relu", "matmul = 'bfloat16'\nfloat16_sums = true"), 0u);
}

/// The fallbacks of the same op as an operation, a function, and a node of a model.
std::vector<FallbackInfo> fallbacks_under(const std::string& deterministic) {
  const Runtime runtime = start_with(deterministic);
  const RuntimeScope here(runtime);
  const Tensor x = zeros({2});
  runtime.operation("Relu")(x);
  relu(x);
  const std::string bytes =
      onnx::encode(model_of("g (float[2] x) => (float[2] y) { y = Relu (x) }"));
  const Model model = Model::from_bytes(runtime, bytes_of(bytes));
  model.run({{"x", x}});
  return runtime.fallbacks();
}

TEST(MathFlags, DoNotAskForDeterminismUnlessTheConfigurationDoes) {
  EXPECT_TRUE(fallbacks_under("false").empty());
}

TEST(MathFlags, AskForDeterminismOfEveryNode) {
  const std::vector<FallbackInfo> fallbacks = fallbacks_under("true");
  ASSERT_EQ(fallbacks.size(), 1u);
  EXPECT_EQ(fallbacks[0].count, 3u);
  EXPECT_EQ(fallbacks[0].to, "cpu:0");
  EXPECT_THAT(fallbacks[0].reason, HasSubstr("the fake rounds as it likes"));
}

}  // namespace
}  // namespace switchyard
