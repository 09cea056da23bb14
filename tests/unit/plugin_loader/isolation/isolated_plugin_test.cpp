// A plugin in a process of its own computes what it computes in this one, and leaves nothing
// behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <numeric>
#include <thread>
#include <vector>

#include "plugin_loader/isolation/isolated.hpp"

namespace switchyard {
namespace {

class Isolated : public testing::TestWithParam<const char*> {
 protected:
  const std::string name_ = GetParam();
  const Runtime runtime_ = start_isolated({{name_, "cpu"}});
};

TEST_P(Isolated, Adds) {
  const Tensor sum = runtime_.operation("Add")(counting({3, 5}), counting({3, 5}));
  EXPECT_EQ(sum.device().name(), name_ + ":0");
  Floats expected(15);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2 * static_cast<float>(i);
  EXPECT_EQ(sum.to_vector<float>(), expected);
}

TEST_P(Isolated, AddsWhatLiesOnItsDevice) {
  const Device device = runtime_.device(name_);
  const Tensor left = counting({1000, 1000}).to(device), right = counting({1000, 1000}).to(device);
  Tensor sum = left;
  for (int i = 0; i < 10; ++i) sum = runtime_.operation("Add")(sum, right);
  const Floats values = sum.to_vector<float>();
  for (const std::size_t i : {0, 1, 77777, 999999}) {
    EXPECT_EQ(values[i], 11 * static_cast<float>(i));
  }
}

TEST_P(Isolated, ReadsStrides) {
  const Tensor left = counting({3, 4}).to(runtime_.device(name_));
  const Tensor turned = runtime_.operation("Transpose")(left);
  const Floats sums = runtime_.operation("Add")(turned, turned).to_vector<float>();
  EXPECT_EQ(sums, (Floats{0, 8, 16, 2, 10, 18, 4, 12, 20, 6, 14, 22}));
}

INSTANTIATE_TEST_SUITE_P(All, Isolated,
                         testing::Values("good", "opaque", "mappable", "asynchronous", "caching",
                                         "workspace", "packed_constants", "template", "cpu"),
                         [](const auto& test) { return std::string(test.param); });

TEST(IsolatedOutputs, OfShapesThatOnlyTheRunShows) {
  for (const char* variant : {"good", "asynchronous", "deferred", "cpu"}) {
    const Runtime runtime = start_isolated({{variant, "cpu"}});
    const Tensor found = runtime.operation("NonZero")(floats({2, 3}, {0, 1, 0, 2, 0, 3}));
    EXPECT_EQ(found.device().name(), variant + std::string(":0"));
    EXPECT_EQ(found.shape(), (Dims{2, 3})) << variant;
    EXPECT_EQ(found.to_vector<std::int64_t>(), (Integers{0, 1, 1, 1, 0, 2})) << variant;
  }
}

TEST(IsolatedDevices, CopyToTheirPeers) {
  const Runtime runtime = start_isolated({{"two_devices:0", "two_devices:1", "cpu"}});
  const Tensor here = counting({5}).to(runtime.device("two_devices:0"));
  const Tensor there = here.to(runtime.device("two_devices:1"));
  EXPECT_EQ(there.device().name(), "two_devices:1");
  EXPECT_EQ(there.to_vector<float>(), (Floats{0, 1, 2, 3, 4}));
}

TEST(IsolatedDevices, HaveMemoryOfTheirProcess) {
  const Runtime shared = start_isolated({{"cpu"}});
  EXPECT_TRUE(shared.device("cpu").open()->addressable()) << "which is this one's, too";
  const Runtime opaque = start_isolated({{"good", "cpu"}});
  EXPECT_FALSE(opaque.device("good").open()->addressable());
}

TEST(IsolatedPlugins, SayThatTheyAre) {
  const Runtime runtime = start_isolated({{"cpu"}});
  const pid_t process = process_of(runtime.device("cpu"));
  EXPECT_GT(process, 0);
  EXPECT_NE(process, ::getpid());
}

TEST(IsolatedPlugins, RefuseToReadMemoryOfThisProcess) {
  const Runtime runtime = start_isolated({{"cpu"}});
  PluginError error;
  sy_import_args args{};
  args.struct_size = sizeof(args);
  args.device = runtime.device("cpu").open()->handle();
  EXPECT_EQ(runtime.device("cpu").open()->api().import_memory(&args, &error), SY_UNSUPPORTED);
  EXPECT_THAT(error.message, testing::HasSubstr("isolation"));
}

TEST(IsolatedPlugins, ServeSeveralThreads) {
  const Runtime runtime = start_isolated({{"cpu"}});
  std::vector<std::thread> threads;
  std::vector<Floats> sums(8);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    threads.emplace_back([&, i] {
      Tensor sum = floats({1}, {static_cast<float>(i)});
      for (int times = 0; times < 200; ++times) {
        sum = runtime.operation("Add")(sum, floats({1}, {1}));
      }
      sums[i] = sum.to_vector<float>();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], (Floats{static_cast<float>(i) + 200}));
  }
}

#ifdef __linux__
std::size_t entries_of(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(IsolatedPlugins, LeaveNothingBehind) {
  // What a first one opens stays.
  static_cast<void>(start_isolated({{"cpu"}}).operation("Relu")(floats({1}, {1})));
  const std::size_t descriptors = entries_of("/proc/self/fd");
  const std::size_t threads = entries_of("/proc/self/task");
  pid_t process = -1;
  {
    const Runtime runtime = start_isolated({{"cpu"}});
    static_cast<void>(runtime.operation("Relu")(floats({1}, {1})));
    process = process_of(runtime.device("cpu"));
    EXPECT_EQ(::kill(process, 0), 0);
    EXPECT_GT(entries_of("/proc/self/fd"), descriptors);
  }
  EXPECT_TRUE(is_gone_soon(process));
  EXPECT_EQ(entries_of("/proc/self/fd"), descriptors);
  EXPECT_EQ(entries_of("/proc/self/task"), threads);
}

/// The tensor on a device that may be in quarantine yet.
Tensor moved_once_it_is_well(const Tensor& tensor, const Device& device) {
  for (;;) {
    try {
      return tensor.to(device);
    } catch (const Error&) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
}

TEST(IsolatedPlugins, LeaveNothingBehindForEachProcessThatEnded) {
  const Runtime runtime = start_isolated({{"good", "cpu"}});
  const Device device = runtime.device("good");
  std::size_t descriptors = 0, threads = 0;
  for (int ends = 0; ends < 4; ++ends) {
    Tensor kept = moved_once_it_is_well(floats({1}, {1}), device);
    if (ends == 0) {
      descriptors = entries_of("/proc/self/fd");
      threads = entries_of("/proc/self/task");
    }
    EXPECT_EQ(entries_of("/proc/self/fd"), descriptors);
    EXPECT_EQ(entries_of("/proc/self/task"), threads);
    const pid_t process = process_of(device);
    ASSERT_GT(process, 0);
    ASSERT_EQ(::kill(process, SIGKILL), 0);
    EXPECT_THROW(kept.to_vector<float>(), Error);
  }
}

// 64 plugins of one library: names make them others.
TEST(IsolatedPlugins, MayBeMany) {
  constexpr int kPlugins = 64;
  std::string order, sections = plugin_section("cpu");
  for (int i = 0; i < kPlugins; ++i) {
    order += fmt::format("\"p{}\", ", i);
    sections += fmt::format("[plugins.p{}]\nlibrary = \"{}\"\nisolation = \"process\"\n", i,
                            fake_library("good").string());
  }
  std::vector<pid_t> processes;
  {
    const Runtime runtime = Runtime::from_text(
        fmt::format("[host]\nlog_level = \"error\"\n[routing]\norder = [{}]\n{}", order, sections));
    for (int i = 0; i < kPlugins; ++i) {
      const Device device = runtime.device(fmt::format("p{}", i));
      const Tensor here = floats({2}, {-1, 2}).to(device);
      EXPECT_EQ(runtime.operation_on(device, "Relu")(here).to_vector<float>(), (Floats{0, 2}));
      processes.push_back(process_of(device));
    }
  }
  for (const pid_t process : processes) EXPECT_TRUE(is_gone_soon(process));
}
#endif

}  // namespace
}  // namespace switchyard
