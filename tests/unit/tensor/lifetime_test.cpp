// Tensors, operations and models keep what they need, whatever goes first.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <switchyard/functions.hpp>

#include "graph/graph_builder.hpp"
#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class Lifetime : public testing::TestWithParam<const char*> {
 protected:
  std::optional<Runtime> runtime = start({{GetParam()}, "", "", {"cpu"}});

  Tensor made() { return runtime->operation("Relu")(floats({2, 2}, {-1, 2, -3, 4})); }
};

TEST_P(Lifetime, ATensorOutlivesItsRuntime) {
  const Tensor tensor = made();
  runtime.reset();
  EXPECT_EQ(tensor.device().name(), std::string(GetParam()) + ":0");
  EXPECT_EQ(tensor.to_vector<float>(), (Floats{0, 2, 0, 4}));
}

TEST_P(Lifetime, SoDoesAView) {
  const Tensor view = runtime->operation("Transpose")(made());
  runtime.reset();
  EXPECT_EQ(view.to_vector<float>(), (Floats{0, 0, 2, 4}));
}

TEST_P(Lifetime, AndATensorWithoutElements) {
  const Tensor empty = runtime->operation("Relu")(floats({0, 3}, {}));
  const Tensor placed = floats({0}, {}).to(runtime->device(GetParam()));
  runtime.reset();
  EXPECT_EQ(empty.device().name(), std::string(GetParam()) + ":0");
  EXPECT_EQ(placed.device().name(), std::string(GetParam()) + ":0");
  EXPECT_TRUE(empty.to_vector<float>().empty());
}

TEST_P(Lifetime, AndAHostValueThatADeviceHolds) {
  const Tensor value = floats({2}, {-1, 2});
  runtime->operation("Relu")(value);
  runtime.reset();
  EXPECT_EQ(value.to_vector<float>(), (Floats{-1, 2}));
  runtime = start({{GetParam()}, "", "", {"cpu"}});
  EXPECT_EQ(runtime->operation("Relu")(value).to_vector<float>(), (Floats{0, 2}))
      << "another runtime's device of the same name is another device";
}

TEST_P(Lifetime, AndWorkThatHasNotCompleted) {
  Tensor tensor = made();
  for (int i = 0; i < 50; ++i) tensor = runtime->operation("Add")(tensor, tensor);
  runtime.reset();
  EXPECT_EQ(tensor.to_vector<float>()[1], 2.0F * static_cast<float>(std::int64_t{1} << 50));
}

TEST_P(Lifetime, ADeviceIsClosedWhenNobodyNeedsIt) {
  std::weak_ptr<OpenDevice> watched = runtime->device(GetParam()).open();
  Tensor tensor = made();
  runtime.reset();
  EXPECT_FALSE(watched.expired());
  tensor = Tensor();
  EXPECT_TRUE(watched.expired());
}

TEST_P(Lifetime, AndATensorThatAnotherDeviceRead) {
  // As an input, it is copied or imported, and nothing of the other device's stays with it.
  Tensor input = floats({256}, Floats(256, -1.5F)).to(runtime->device("cpu"));
  const Operation relu = runtime->operation("Relu");
  EXPECT_EQ(relu(input).to_vector<float>(), Floats(256, 0));
  runtime.reset();
  EXPECT_EQ(input.to_vector<float>(), Floats(256, -1.5F));
  input = Tensor();
}

TEST_P(Lifetime, AHandleOfADeviceComputes) {
  const Device device = runtime->device(GetParam());
  runtime.reset();
  const Tensor made = floats({2}, {1, 2}).to(device);
  EXPECT_EQ(made.to_vector<float>(), (Floats{1, 2}));
  device.synchronize();
}

TEST_P(Lifetime, EverythingIsClosedThoughConstantsAndHostInputsWereUsed) {
  runtime = start({{GetParam(), "cpu"}});
  const std::weak_ptr<Engine> watched = runtime->engine();
  Tensor starts = integers({1}).to(runtime->device("cpu"));
  Tensor padded = runtime->operation("Pad")(std::array{made(), integers({0, 0, 1, 1})})[0];
  Tensor cut = runtime->operation("Slice")(std::array{made(), starts, integers({2})})[0];
  runtime.reset();
  EXPECT_EQ(cut.to_vector<float>(), (Floats{0, 4}));
  padded = cut = starts = Tensor();
  EXPECT_TRUE(watched.expired());
}

TEST_P(Lifetime, EverythingIsClosedThoughTensorsWereFilled) {
  runtime = start({{GetParam(), "cpu"}});
  const std::weak_ptr<Engine> watched = runtime->engine();
  Tensor filled = zeros({4}, {.device = runtime->device(GetParam())});
  filled.fill_(2.5);
  EXPECT_EQ(filled.to_vector<float>(), Floats(4, 2.5F));
  runtime.reset();
  filled = Tensor();
  EXPECT_TRUE(watched.expired()) << "no number that a thread keeps keeps the runtime";
}

INSTANTIATE_TEST_SUITE_P(Devices, Lifetime,
                         testing::Values("good", "asynchronous", "mappable", "opaque", "template",
                                         "cpu"),
                         [](const auto& info) { return info.param; });

TEST(PlannedGraphLifetime, APlanKeepsItsRuntime) {
  GraphBuilder build;
  build.output(build.node("Relu", {build.input("x")}));
  std::optional<Runtime> runtime = start({{"good"}});
  PlannedGraph graph(*runtime, build);
  runtime.reset();
  EXPECT_EQ(graph({floats({2}, {-1, 1})})[0].to_vector<float>(), (Floats{0, 1}));
}

}  // namespace
}  // namespace switchyard
