// Work of a model that fails after it was enqueued: the error names the node, whenever it shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <switchyard/model.hpp>

#include "onnx/small_models.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

/// A chain whose first node fails on a device of one run's patience.
Model chain(const Runtime& runtime) {
  onnx::ModelProto model = model_of(
      "g (float[2] x) => (float[2] y) {"
      "  a = Relu (x)"
      "  y = Relu (a) }");
  model.graph->node[0].name = "clip";
  model.graph->node[1].name = "clip again";
  const std::string bytes = onnx::encode(model);
  return Model::from_bytes(runtime, bytes_of(bytes));
}

TEST(LateFailure, OfAModelNamesTheNode) {
  const Runtime runtime = start({{"run_sticky", "cpu"}});
  const Model model = chain(runtime);
  const std::vector<NamedValue> outputs = model.run({{"x", floats({2}, {-1, 2})}});
  const Error error = error_of([&] { outputs[0].tensor.to_vector<float>(); });
  EXPECT_EQ(error.kind(), ErrorKind::device_lost);
  EXPECT_THAT(error.what(), HasSubstr("the fake's run 1 fails"));
  EXPECT_THAT(error.what(), HasSubstr("the first work that it concerns is node 'clip' (Relu)"));
}

TEST(LateFailure, IsNotOneOfTheNextRun) {
  const Runtime runtime = start({{"run_sticky", "cpu"}});
  const Model model = chain(runtime);
  const std::vector<NamedValue> lost = model.run({{"x", floats({2}, {-1, 2})}});
  EXPECT_THROW(lost[0].tensor.to_vector<float>(), Error);
  const std::vector<NamedValue> outputs = model.run({{"x", floats({2}, {-1, 2})}});
  EXPECT_EQ(outputs[0].tensor.device().name(), "cpu:0");
  EXPECT_EQ(outputs[0].tensor.to_vector<float>(), (Floats{0, 2}));
}

/// The second node is of a device that reads the first one's result, and so waits for it.
TEST(LateFailure, IsMetByAnotherRunWhereTheHostHasTheInputs) {
  const switchyard::Setup setup{{"run_sticky", "cpu"}, "fallback = \"allow\""};
  const std::string bytes =
      onnx::encode(model_of("g (float[2] x) => (float[2] y) {"
                            "  a = Relu (x)"
                            "  y = Erf (a) }"));
  for (const bool on_host : {true, false}) {
    const Runtime runtime = start(setup);
    const Model model = Model::from_bytes(runtime, bytes_of(bytes));
    const Tensor host_value = floats({2}, {-1, 0});
    if (!on_host) {
      const Tensor elsewhere = host_value.to(runtime.device("run_sticky"));
      EXPECT_EQ(error_of([&] { model.run({{"x", elsewhere}}); }).kind(), ErrorKind::device_lost);
      continue;
    }
    const std::vector<NamedValue> outputs = model.run({{"x", host_value}});
    EXPECT_EQ(outputs[0].tensor.to_vector<float>(), (Floats{0, 0}));
  }
}

}  // namespace
}  // namespace switchyard
