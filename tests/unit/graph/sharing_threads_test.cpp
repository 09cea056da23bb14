// Threads share runtimes, plans, operations and tensors, and each gets the right answer.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "graph/graph_builder.hpp"

namespace switchyard {
namespace {

constexpr int kThreads = 3;
constexpr int kRounds = 20;

void in_threads(const std::function<void(int)>& work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
}

class Sharing : public testing::TestWithParam<const char*> {
 protected:
  Runtime runtime = start({{GetParam(), "cpu"}, "fallback = \"allow\""});
};

// y = Relu(x * matrix) + (-x), with a detour for shapes: one model with constants and host work.
GraphBuilder model() {
  GraphBuilder build;
  const ValueId x = build.input("x");
  const ValueId product = build.node("MatMul", {x, build.constant({2, 2}, {1, -1, 2, 0})});
  const ValueId shape = build.node("Concat", {build.node("Shape", {x}), build.numbers({1})},
                                   attribute("axis", std::int64_t{0}));
  const ValueId sum = build.node("Add", {build.node("Relu", {product}), build.node("Neg", {x})});
  build.output(build.node("Reshape", {sum, shape}));
  return build;
}

TEST_P(Sharing, OneModelRunByAll) {
  GraphBuilder build = model();
  const Graph graph = build.take();
  const auto plan = plan_graph(graph, *runtime.engine()->router);
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const auto a = static_cast<float>(thread), b = static_cast<float>(round);
      Execution execution(*runtime.engine()->dispatcher, {});
      std::vector<Cell> inputs{{TensorRef(floats({1, 2}, {a, b}).impl()), nullptr}};
      const Tensor y(execution.run(*plan, inputs)[0].tensor.get());
      ASSERT_EQ(y.shape(), (Dims{1, 2, 1}));
      ASSERT_EQ(y.to_vector<float>(), (Floats{a + 2 * b - a, -b}));
    }
  });
}

TEST(SharingPrograms, OneModelRunByAll) {
  // Shapes come and go, so threads make programs while others run them.
  GraphBuilder build = model();
  JoinedGraph graph({{"programs_asynchronous", "cpu"}, "fallback = \"allow\""}, build);
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const std::int64_t rows = 1 + (thread + round / 4) % 3;
      RunStatistics statistics;
      const Tensor y = graph.run({counting({rows, 2})}, statistics)[0];
      ASSERT_EQ(y.shape(), (Dims{rows, 2, 1}));
      ASSERT_EQ(y.to_vector<float>()[0], 2);  // relu(0 + 2 * 1) - 0
    }
  });
}

TEST_P(Sharing, OneOperationOnSharedTensors) {
  const Operation add = runtime.operation("Add");
  const Operation exp = runtime.operation("Neg");
  const Tensor on_device = counting({64}).to(runtime.device(GetParam()));
  const Tensor on_host = counting({64});
  in_threads([&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const Tensor sum = add(on_device, on_host);
      ASSERT_EQ(sum.to_vector<float>()[63], 126);
      ASSERT_EQ(exp(on_device).to_vector<float>()[63], -63);
      const Tensor again = add(sum, on_device);
      ASSERT_EQ(again.to_vector<float>()[63], 189);
    }
  });
}

TEST_P(Sharing, AModelAndAnEagerOpOnTheSameTensors) {
  GraphBuilder build = model();
  const Graph graph = build.take();
  const auto plan = plan_graph(graph, *runtime.engine()->router);
  const Operation relu = runtime.operation("Relu");
  const Tensor x = floats({1, 2}, {3, 4}).to(runtime.device(GetParam()));
  in_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      if (thread == 0) {
        ASSERT_EQ(relu(x).to_vector<float>(), (Floats{3, 4}));
        continue;
      }
      Execution execution(*runtime.engine()->dispatcher, {});
      std::vector<Cell> inputs{{TensorRef(x.impl()), nullptr}};
      const Tensor y(execution.run(*plan, inputs)[0].tensor.get());
      ASSERT_EQ(y.to_vector<float>(), (Floats{3 + 8 - 3, -4}));
    }
  });
}

TEST_P(Sharing, ATensorMadeByOneAndReadByOthers) {
  const Operation relu = runtime.operation("Relu");
  for (int round = 0; round < kRounds; ++round) {
    const Tensor made = relu(counting({100}));
    in_threads([&](int) { ASSERT_EQ(made.to_vector<float>()[99], 99); });
  }
}

TEST_P(Sharing, TensorsDieOnThreadsThatDidNotMakeThem) {
  const Operation relu = runtime.operation("Relu");
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Tensor> made;
    for (int i = 0; i < kThreads; ++i) made.push_back(relu(counting({100 + i})));
    in_threads([&](int thread) { made[static_cast<std::size_t>(thread)] = Tensor(); });
  }
  EXPECT_EQ(runtime.device(GetParam()).memory().used_bytes, 0u);
}

INSTANTIATE_TEST_SUITE_P(Devices, Sharing,
                         testing::Values("good", "asynchronous", "mappable", "template", "cpu"),
                         [](const auto& info) { return info.param; });

// ---------------------------------------------------------------- faults

TEST(SharingFaults, AllMoveAwayFromALostDeviceAndBack) {
  const Runtime runtime = start({{"run_lost", "cpu"}, "fallback = \"allow\""});
  const Operation relu = runtime.operation("Relu");
  in_threads([&](int) {
    for (int round = 0; round < 100; ++round) {
      ASSERT_EQ(relu(floats({2}, {-1, 1})).to_vector<float>(), (Floats{0, 1}));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  });
  EXPECT_EQ(relu(counting({2})).device().name(), "run_lost:0") << "after the quarantine";
}

TEST(SharingFaults, RuntimesComeAndGoOnEachThread) {
  in_threads([&](int) {
    for (int round = 0; round < 3; ++round) {
      const Runtime runtime = start({{"asynchronous"}});
      ASSERT_EQ(runtime.operation("Relu")(floats({1}, {5})).item<float>(), 5);
    }
  });
}

}  // namespace
}  // namespace switchyard
