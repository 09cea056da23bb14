// Ops that plugins bring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/defaults.hpp>
#include <switchyard/error.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/model.hpp>
#include <switchyard/register_op.hpp>

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

}  // namespace
}  // namespace switchyard
