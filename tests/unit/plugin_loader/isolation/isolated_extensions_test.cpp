// What a plugin in a process of its own has besides its table: ops, kernels that users write, a
// log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <mutex>
#include <switchyard/custom_kernel.hpp>
#include <switchyard/defaults.hpp>
#include <switchyard/functions.hpp>
#include <switchyard/log.hpp>
#include <vector>

#include "plugin_loader/isolation/isolated.hpp"

namespace switchyard {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(IsolatedExtensions, OpsOfItsOwnAreRegistered) {
  const Runtime runtime = start_isolated({{"own_op_claimed", "cpu"}});
  const Operation sum = runtime.operation("Sum", {}, "com.example.fake");
  const std::array inputs{floats({2}, {1, 2}), floats({2}, {3, 4})};
  const Tensor made = sum(inputs)[0];
  EXPECT_EQ(made.device().name(), "own_op_claimed:0");
  EXPECT_EQ(made.to_vector<float>(), (Floats{4, 6}));
  const std::array misshapen{floats({2}, {1, 2}), floats({1, 2}, {3, 4})};
  EXPECT_THAT(error_of([&] { sum(misshapen); }).what(),
              HasSubstr("the fake sums tensors of one rank"));
}

#ifdef __linux__
TEST(IsolatedExtensions, KernelsOfUsersAreCompiledAndRun) {
  const switchyard::Setup metal{.order = {"mps"},
                                .sections = "[plugins.mps.options]\ndevice = \"software\"\n",
                                .more = {"cpu"}};
  const Runtime runtime = start_isolated(metal);
  const KernelSource twice{.source = R"(#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  y[i] = 2 * x[i];
}
)",
                           .function = "twice",
                           .inputs = {DType::float32},
                           .outputs = {DType::float32}};
  const CustomKernel kernel = runtime.device("mps").compile_kernel(twice);
  const std::array inputs{floats({3}, {1, 2, 3})};
  const std::array shapes{Dims{3}};
  EXPECT_EQ(kernel(inputs, shapes, {.threads = {3, 1, 1}})[0].to_vector<float>(),
            (Floats{2, 4, 6}));
  KernelSource wrong = twice;
  wrong.source = "no kernel at all";
  EXPECT_THROW(static_cast<void>(runtime.device("mps").compile_kernel(wrong)), Error);
}
#endif

// Those of a thread that serves a call come before the call returns, others soon.
TEST(IsolatedExtensions, MessagesReachTheLog) {
  std::mutex guard;
  std::vector<std::string> messages;
  const auto said = [&] {
    const std::lock_guard lock(guard);
    return messages;
  };
  set_log_sink([&](LogLevel, std::string_view message) {
    const std::lock_guard lock(guard);
    messages.emplace_back(message);
  });
  {
    const std::string text = isolating({{"logs", "cpu"}}, {"logs"});
    const std::string level = "log_level = \"error\"";
    const Runtime runtime = Runtime::from_text(
        std::string(text).replace(text.find(level), level.size(), "log_level = \"warn\""));
    static_cast<void>(runtime.operation("Relu")(floats({1}, {1})));
    EXPECT_THAT(said(), Contains(HasSubstr("logs: the fake opens a device")));
    const auto other = Contains(HasSubstr("logs: a thread of the fake says so, too"));
    for (int looks = 0; looks < 1000 && !testing::Value(said(), other); ++looks) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_THAT(said(), other);
  }
  set_log_sink({});
}

}  // namespace
}  // namespace switchyard
