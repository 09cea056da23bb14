// The last Runtime goes while another thread computes: its tensors keep what they need.
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <switchyard/functions.hpp>
#include <thread>

#include "tensor/test_runtime.hpp"

namespace switchyard {
namespace {

class RuntimeEnds : public testing::TestWithParam<const char*> {};

TEST_P(RuntimeEnds, WhileAnotherThreadComputes) {
  for (int i = 0; i < 20; ++i) {
    std::optional<Runtime> runtime = start({{GetParam()}, "", "", {"cpu"}});
    const Tensor x = floats({8}, Floats(8, 1)).to(runtime->device(GetParam()));
    std::atomic<int> rounds{0};
    std::thread other([&] {
      Tensor sum = x;
      for (int k = 0; k < 200; ++k) {
        sum = sum.reshape({1, 8}).reshape({8}) + x;
        ++rounds;
      }
      EXPECT_EQ(sum.to_vector<float>(), Floats(8, 201));
    });
    while (rounds < i * 10) std::this_thread::yield();
    runtime.reset();
    other.join();
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RuntimeEnds, testing::Values("cpu", "template", "good"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace switchyard
