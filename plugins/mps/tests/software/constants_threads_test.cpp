// Function constants: set for each dispatch, on whichever thread runs a part of it.
#include <gtest/gtest.h>

#include <dlfcn.h>

#include <filesystem>
#include <limits>
#include <thread>

#include "software/shim/interface.h"
#include "temporary_folder.hpp"
#include "test_device.hpp"

namespace mps::software::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* with_constants = R"(
constant bool add [[function_constant(0)]];
constant float amount [[function_constant(1)]];
constant int unused [[function_constant(2)]];
constant float twice = amount * 2.0;
constant float four_times = max(twice, 0.0) * 2.0;
kernel void change(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = add ? x[i] + amount : x[i] - amount;
}
kernel void multiply(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = twice + 100 * four_times;
}
kernel void none(device float* x [[buffer(0)]]) { x[0] = 1; }
// Each thread waits for the others twice, and reads the constant in between.
kernel void turn(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]],
                 uint k [[thread_position_in_threadgroup]]) {
  threadgroup float shared[64];
  shared[k] = amount;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const float other = shared[63 - k] + amount;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = simd_max(other) + amount;
}
)";

float changed(seam::Device& device, const char* function, const seam::Constants& constants) {
  const auto pipeline = pipeline_of(device, with_constants, function, constants);
  const auto x = buffer_of(device, std::vector<float>{10});
  const seam::Argument arguments[] = {{0, x}};
  run(device, {pipeline.get(), arguments});
  return values_of<float>(*x)[0];
}

TEST(Constants, SpecialiseAKernel) {
  const auto device = open();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(changed(*device, "change", {{0, true}, {1, 0.1f}}), 10 + 0.1f);
  EXPECT_EQ(changed(*device, "change", {{0, false}, {1, 3.0f}}), 7);
  EXPECT_EQ(changed(*device, "change", {{0, true}, {1, infinity}}), infinity);
}

TEST(Constants, OthersAreMadeOfThem) {
  const auto device = open();
  EXPECT_EQ(changed(*device, "multiply", {{1, 0.5f}}), 1 + 100 * 2.0f);
  EXPECT_EQ(changed(*device, "multiply", {{1, -3.0f}}), -6);
}

TEST(Constants, EachThatAKernelReadsIsNeeded) {
  const auto device = open();
  EXPECT_EQ(failure_of([&] {
              changed(*device, "change", {{0, true}});
            }),
            "change: constant amount [[function_constant(1)]] is not given");
  EXPECT_EQ(failure_of([&] { changed(*device, "multiply", {}); }),
            "multiply: constant amount [[function_constant(1)]] is not given");
  EXPECT_EQ(failure_of([&] {
              changed(*device, "change", {{0, 1}, {1, 1.0f}});
            }),
            "change: constant add [[function_constant(0)]] is of type bool, the value given is of "
            "type int");
  EXPECT_EQ(changed(*device, "none", {}), 1);
}

// All pipelines are made before one runs, and run on the same threads, one after the other: each
// finds its own constants, and not those of the last.
class ConstantsOfDispatches : public testing::TestWithParam<unsigned> {
 protected:
  ConstantsOfDispatches() {
    Settings wanted = settings();
    wanted.threads = GetParam();
    device_ = open(wanted);
    const std::string text = std::string("#include <metal_stdlib>\n") + with_constants;
    library_ = device_->library({"test.metal", text});
    for (int i = 0; i < 5; ++i) {
      pipelines_.push_back(library_->pipeline("turn", {{1, float(i)}}));
    }
  }

  // In one command buffer, 30 groups of 64 threads each.
  std::vector<float> values_by(size_t pipeline, seam::Queue& queue) const {
    constexpr uint32_t count = 1920;
    const auto commands = queue.command_buffer();
    std::vector<seam::Ref<seam::Buffer>> results;
    for (const size_t one : {pipeline, (pipeline + 1) % pipelines_.size(), pipeline}) {
      results.push_back(buffer_of(*device_, std::vector<float>(count)));
      const seam::Argument arguments[] = {{0, results.back()}};
      commands->dispatch({pipelines_[one].get(), arguments, {}, {count, 1, 1}, {64, 1, 1}});
    }
    commands->commit();
    EXPECT_EQ(commands->wait_until_done(), seam::State::completed);
    return values_of<float>(*results.back());
  }

  seam::Ref<seam::Device> device_;
  seam::Ref<seam::Library> library_;
  std::vector<seam::Ref<seam::Pipeline>> pipelines_;
};

INSTANTIATE_TEST_SUITE_P(Threads, ConstantsOfDispatches, testing::Values(1u, 2u));

TEST_P(ConstantsOfDispatches, AreEachOnesOwn) {
  const auto queue = device_->queue("one");
  for (size_t i = 0; i < pipelines_.size(); ++i) {
    EXPECT_EQ(values_by(i, *queue), std::vector<float>(1920, 3 * float(i))) << i;
  }
}

TEST_P(ConstantsOfDispatches, AreEachQueuesOwn) {
  std::vector<std::thread> others;
  for (size_t i = 0; i < pipelines_.size(); ++i) {
    others.emplace_back([this, i] {
      const auto queue = device_->queue("one of several");
      for (int times = 0; times < 5; ++times) {
        ASSERT_EQ(values_by(i, *queue), std::vector<float>(1920, 3 * float(i))) << i;
      }
    });
  }
  for (std::thread& other : others) other.join();
}

// Each has variables on every thread, for which the room is not what it is for one library.
TEST(Constants, OfHundredsOfLibrariesFit) {
  const TemporaryFolder folder;
  Settings wanted = settings();
  wanted.cache_folder = (folder.path() / "cache").string();
  open(wanted)->library({"test.metal", with_constants});
  fs::path object;
  for (const auto& entry : fs::directory_iterator(folder.path() / "cache")) {
    if (entry.path().extension() == ".so") object = entry.path();
  }
  const float amount = 1;
  const void* const values[] = {nullptr, &amount, nullptr};
  std::vector<std::shared_ptr<void>> libraries;
  for (int i = 0; i < 300; ++i) {
    const fs::path copy = folder.path() / (std::to_string(i) + ".so");
    fs::copy_file(object, copy);
    libraries.emplace_back(dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* library) {
      if (library) dlclose(library);
    });
    ASSERT_NE(libraries.back(), nullptr) << dlerror();
    const auto* const library =
        static_cast<const msl::Library*>(dlsym(libraries.back().get(), "msl_library"));
    ASSERT_NE(library, nullptr);
    library->set_constants(values);
  }
}

}  // namespace
}  // namespace mps::software::test
