// [precision] deterministic = true is asked of every node; a device that cannot keep to it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

Runtime start_with(const std::string& deterministic) {
  return start({.order = {"refuses_determinism", "cpu"},
                .routing = "fallback = \"allow\"",
                .sections = "[precision]\ndeterministic = " + deterministic + "\n"});
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

TEST(Determinism, IsNotAskedForUnlessTheConfigurationDoes) {
  EXPECT_TRUE(fallbacks_under("false").empty());
}

TEST(Determinism, IsAskedOfEveryNode) {
  const std::vector<FallbackInfo> fallbacks = fallbacks_under("true");
  ASSERT_EQ(fallbacks.size(), 1u);
  EXPECT_EQ(fallbacks[0].count, 3u);
  EXPECT_EQ(fallbacks[0].to, "cpu:0");
  EXPECT_THAT(fallbacks[0].reason, HasSubstr("the fake rounds as it likes"));
}

}  // namespace
}  // namespace switchyard
