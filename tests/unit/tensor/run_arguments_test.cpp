// What a kernel asks of the host for each run: workspace by its shapes, and which tensors return.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

using testing::HasSubstr;

TEST(Workspace, IsAskedForEachRunOfAKernelThatServesAllShapes) {
  const Runtime runtime = start({{"workspace_per_run"}, "", "", {"cpu"}});
  const Operation relu = runtime.operation("Relu");
  for (const std::int64_t size : {3, 1000, 0, 70'000, 1}) {
    const Tensor x = counting({size}).to(runtime.device("workspace_per_run"));
    EXPECT_EQ(relu(x).to_vector<float>(), counting({size}).to_vector<float>());
  }
}

TEST(Workspace, ThatCannotBeAskedForIsAFaultOfThePlugin) {
  const Runtime runtime = start({{"lacks_workspace", "cpu"}, "fallback = \"allow\"\n"});
  const Tensor result = runtime.operation("Relu")(floats({2}, {-1, 2}));
  EXPECT_EQ(result.device().name(), "cpu:0");
  EXPECT_THAT(runtime.fallbacks().at(0).reason, HasSubstr("lacks workspace"));
}

struct Bindings : testing::Test {
  Runtime runtime = start({{"bindings"}});
  Device device = runtime.device("bindings");
  Operation add = runtime.operation("Add");
  Tensor a = counting({100}).to(device), b = counting({100}).to(device);
};

TEST_F(Bindings, AreToldWhereTheSameTensorsReturn) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(add(a, b).to_vector<float>()[99], 198.0F);
  EXPECT_THAT(report_of(device), HasSubstr("1 captures, 4 replays"));
}

TEST_F(Bindings, AreOthersForOtherTensors) {
  const Tensor kept = add(a, b);
  EXPECT_EQ(add(b, a).to_vector<float>()[99], 198.0F);
  EXPECT_EQ(add(a, a).to_vector<float>()[99], 198.0F);
  const Tensor part = a.narrow(0, 0, 50);
  EXPECT_EQ(add(part, part).to_vector<float>()[49], 98.0F);
  EXPECT_THAT(report_of(device), HasSubstr("4 captures, 0 replays"));
}

TEST_F(Bindings, AreNewAgainOnceManyOthersCameBetween) {
  std::vector<Tensor> kept;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 17; ++i) {
      if (round == 0) kept.push_back(counting({100}).to(device));
      EXPECT_EQ(add(a, kept[static_cast<std::size_t>(i)]).to_vector<float>()[99], 198.0F);
    }
  }
}

}  // namespace
}  // namespace switchyard
