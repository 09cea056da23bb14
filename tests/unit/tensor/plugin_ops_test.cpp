// Ops that plugins bring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <switchyard/register_op.hpp>
#include <vector>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

constexpr const char* kFakeDomain = "com.example.fake";
constexpr const char* kSumGraph =
    "g (float[N] x) => (float[N] y) { y = com.example.fake.Sum (x, x) }";

Model load(const Runtime& runtime) {
  onnx::ModelProto model = model_of(kSumGraph);
  add_import(model, kFakeDomain, 1);
  const std::string bytes = onnx::encode(model);
  return Model::from_bytes(runtime, bytes_of(bytes));
}

std::vector<Tensor> two_vectors(const Runtime& runtime) {
  const RuntimeScope scope(runtime);
  return {tensor({1.0F, 2.0F}), tensor({3.0F, 4.0F})};
}

TEST(PluginOps, RunByTheirBodyWhereNoDeviceClaimsThem) {
  const Runtime runtime = start({{"own_op"}});
  EXPECT_THAT(registered_ops(), testing::Contains("com.example.fake::Sum"));
  const Tensor sum = runtime.operation("Sum", {}, kFakeDomain)(two_vectors(runtime))[0];
  EXPECT_EQ(sum.to_vector<float>(), (Floats{4, 6}));
  EXPECT_EQ(load(runtime).explain()[0].device, "body");
}

TEST(PluginOps, GoToTheDeviceThatClaimsThem) {
  const Runtime runtime = start({{"own_op_claimed"}});
  const Model model = load(runtime);
  EXPECT_EQ(model.explain()[0].device, "own_op_claimed:0");
  EXPECT_EQ(model.run({{"x", two_vectors(runtime)[0]}})[0].tensor.to_vector<float>(),
            (Floats{2, 4}));
}

TEST(PluginOps, RefuseShapesInThePluginsWords) {
  const Runtime runtime = start({{"own_op"}});
  std::vector<Tensor> inputs = two_vectors(runtime);
  inputs[1] = inputs[1].reshape({1, 2});
  const Error error = error_of([&] { runtime.operation("Sum", {}, kFakeDomain)(inputs); });
  EXPECT_EQ(error.kind(), ErrorKind::shape_mismatch);
  EXPECT_THAT(error.what(), HasSubstr("the fake sums tensors of one rank"));
}

/// Why the plugin is not used, where the configuration does not require it and where it does.
std::string refusal(const std::string& fake) {
  const Runtime beside = start({{fake, "cpu"}});
  EXPECT_EQ(beside.default_device().name(), "cpu:0") << "the others go on";
  const Setup required{.order = {"cpu"}, .sections = plugin_section(fake) + "required = true\n"};
  const Error error = error_of([&] { start(required); });
  EXPECT_EQ(error.kind(), ErrorKind::plugin);
  return error.what();
}

TEST(PluginOps, InTwoWordingsAreOfTheFirstPlugin) {
  const Runtime first = start({{"own_op"}});
  const Runtime again = start({{"own_op_claimed"}});
  const std::string line = refusal("own_op_otherwise");
  EXPECT_THAT(line, HasSubstr("plugin 'own_op_otherwise' was not loaded: it brings ops"));
  EXPECT_THAT(line, HasSubstr("registered already"));
}

TEST(PluginOps, OfTheDomainsOfOthersAreRefused) {
  EXPECT_THAT(refusal("own_op_of_onnx"), HasSubstr("belongs to others"));
}

/// An op of the program's, with a kernel on the host, which the fake claims for float32 alone.
Operation sum_of_the_program(const Runtime& runtime) {
  const auto add = [](OpKernel& call) {
    const auto add_all = [](auto x, auto y, auto z) {
      std::transform(x.begin(), x.end(), y.begin(), z.begin(), std::plus<>());
    };
    if (call.input_dtype(0) == DType::float32) {
      add_all(call.input<float>(0), call.input<float>(1), call.output<float>(0));
    } else {
      add_all(call.input<double>(0), call.input<double>(1), call.output<double>(0));
    }
  };
  [[maybe_unused]] static const bool is_known = [&] {
    register_op({.domain = kFakeDomain,
                 .name = "SumOfTheProgram",
                 .signature = "x:T y:T -> z:T",
                 .types = "T=float32|float64",
                 .shape = [](const OpCall& call) { return std::vector{call.input_shape(0)}; },
                 .kernel = add});
    return true;
  }();
  return runtime.operation("SumOfTheProgram", {}, kFakeDomain);
}

TEST(PluginOps, OfAKernelOnTheHostFallBackToItFromTheDeviceThatClaimsThem) {
  const Runtime runtime = start({{"own_op_claimed"}, "fallback = \"allow\""});
  const Operation sum = sum_of_the_program(runtime);
  const std::vector<Tensor> narrow = two_vectors(runtime);
  EXPECT_EQ(sum(narrow)[0].to_vector<float>(), (Floats{4, 6}));
  EXPECT_TRUE(runtime.fallbacks().empty()) << "the device takes float32";
  const Tensor x = host_tensor<double>({2}, {1, 2}), y = host_tensor<double>({2}, {3, 4});
  const Tensor wide = sum(x, y);
  EXPECT_EQ(wide.to_vector<double>(), (std::vector<double>{4, 6}));
  const std::vector<FallbackInfo> fallbacks = runtime.fallbacks();
  const auto found = std::ranges::find(fallbacks, "SumOfTheProgram", &FallbackInfo::op);
  ASSERT_NE(found, fallbacks.end());
  EXPECT_EQ(found->from, "own_op_claimed:0");
  EXPECT_EQ(found->to, "host");
  EXPECT_EQ(found->code, "DTYPE");
}

TEST(PluginOps, OfAKernelOnTheHostDoNotRunThereWhereFallbacksAreDenied) {
  const Runtime runtime = start({{"own_op_claimed"}, "fallback = \"deny\""});
  const Operation sum = sum_of_the_program(runtime);
  const Tensor wide = host_tensor<double>({2}, {1, 2});
  const Error error = error_of([&] { sum(wide, wide); });
  EXPECT_EQ(error.kind(), ErrorKind::unsupported);
  EXPECT_THAT(error.what(), HasSubstr("falling back to the op's kernel on the host is denied"));
}

}  // namespace
}  // namespace switchyard
