// A library of kernels is compiled when one of its kernels is first needed; one that does not
// compile takes nothing else with it.
#include "runtime/kernel_libraries.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "forwarding_device.hpp"
#include "node.hpp"
#include "software_device.hpp"
#include "switchyard/plugin/guard.hpp"

namespace mps::runtime_tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* compilers_words =
    "gather.metal:12:7: warning: unused\n"
    "gather.metal:31:5: error: no matching function for call to 'fmin3'\n"
    "  return fmin3(x, y, z);\n"
    "gather.metal:3:2: note: candidate";

// Those of kernels/elements.h, for kernels that read them.
const seam::Constants constants = {{0, true}, {1, 4u}, {2, 0u}};

std::vector<std::string>& compiled() {
  static std::vector<std::string> names;
  return names;
}

// Apple's compiler, in a bad mood about gather.metal.
class PickyDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  seam::Ref<seam::Library> library(const seam::Source& source) override {
    compiled().push_back(source.name);
    if (source.name != "gather.metal") return ForwardingDevice::library(source);
    throw seam::Failure(fault, compilers_words);
  }
  seam::Fault fault = seam::Fault::compilation;
};

sy::Failure refusal_of(KernelLibraries& kernels, const std::string& function) {
  try {
    kernels.pipeline(function);
  } catch (const sy::Failure& failure) {
    return failure;
  }
  ADD_FAILURE() << function << " compiles";
  return sy::bug("none");
}

class KernelLibrariesTest : public testing::Test {
 protected:
  KernelLibrariesTest() { compiled().clear(); }
  ~KernelLibrariesTest() override { OpenDevice::stand_in = nullptr; }

  PickyDevice device_{open_software()};
  KernelLibraries kernels_{device_, false};
};

TEST_F(KernelLibrariesTest, AreCompiledWhenTheyAreFirstNeeded) {
  EXPECT_THAT(compiled(), IsEmpty());
  const seam::Pipeline& add = kernels_.pipeline("binary_float", constants);
  EXPECT_EQ(&kernels_.pipeline("binary_float", constants), &add);
  kernels_.pipeline("compare_half", constants);
  EXPECT_THAT(compiled(), ElementsAre("binary.metal"));
  kernels_.pipeline("copy_4", constants);
  EXPECT_THAT(compiled(), ElementsAre("binary.metal", "copy.metal"));
}

TEST_F(KernelLibrariesTest, MakeAPipelineForEachSetOfConstants) {
  std::set<const seam::Pipeline*> made;
  for (const bool dense : {false, true}) {
    for (const uint32_t per_thread : {4u, 8u}) {
      for (const uint32_t operation : {0u, 1u, 256u}) {
        const seam::Constants given = {{0, dense}, {1, per_thread}, {2, operation}};
        made.insert(&kernels_.pipeline("binary_float", given));
        made.insert(&kernels_.pipeline("binary_float", given));
      }
    }
  }
  EXPECT_EQ(made.size(), 12u);
  EXPECT_THAT(compiled(), ElementsAre("binary.metal"));
}

TEST_F(KernelLibrariesTest, OneThatDoesNotCompileTakesNoOtherWithIt) {
  const sy::Failure refusal = refusal_of(kernels_, "gather_4_int");
  EXPECT_EQ(refusal.status(), SY_UNSUPPORTED);
  EXPECT_EQ(refusal.reason(), SY_REASON_OS);
  EXPECT_STREQ(refusal.what(),
               "gather.metal does not compile on this system: gather.metal:31:5: error: no "
               "matching function for call to 'fmin3'");
  for (const KernelSource& source : kernel_sources()) {
    if (source.name == "gather.metal") continue;
    for (const std::string_view function : source.functions) {
      EXPECT_NO_THROW(kernels_.pipeline(std::string(function), constants)) << function;
    }
  }
}

TEST_F(KernelLibrariesTest, OneThatDoesNotCompileIsTriedOnce) {
  refusal_of(kernels_, "gather_4_int");
  refusal_of(kernels_, "gather_4_int");
  refusal_of(kernels_, "gather_2_long");
  EXPECT_THAT(compiled(), ElementsAre("gather.metal"));
  EXPECT_THAT(kernels_.report(), HasSubstr("gather.metal does not compile: "));
  EXPECT_THAT(kernels_.report(), HasSubstr("note: candidate"));
}

TEST_F(KernelLibrariesTest, TooLittleMemoryMayPass) {
  device_.fault = seam::Fault::out_of_memory;
  EXPECT_THROW(kernels_.pipeline("gather_4_int"), seam::Failure);
  EXPECT_THROW(kernels_.pipeline("gather_4_int"), seam::Failure);
  EXPECT_THAT(compiled(), ElementsAre("gather.metal", "gather.metal"));
  EXPECT_THAT(kernels_.report(), Not(HasSubstr("does not compile")));
}

TEST_F(KernelLibrariesTest, UnknownKernelsAreAMistakeOfOurs) {
  EXPECT_EQ(refusal_of(kernels_, "no_such_kernel").status(), SY_BUG);
}

// A device that loads what was compiled beforehand, or says that it cannot.
class LoadingDevice final : public ForwardingDevice {
 public:
  using ForwardingDevice::ForwardingDevice;
  seam::Ref<seam::Library> compiled_library(const std::string& path) override {
    loaded.push_back(std::filesystem::path(path).filename().string());
    if (!takes) throw seam::Failure(seam::Fault::unsupported, "made for a newer system");
    return library(source_named("copy.metal"));
  }
  seam::Ref<seam::Library> library(const seam::Source& source) override {
    compiled().push_back(source.name);
    return ForwardingDevice::library(source);
  }
  static const KernelSource& source_named(const std::string& name) {
    for (const KernelSource& source : kernel_sources()) {
      if (source.name == name) return source;
    }
    throw sy::bug("no source ", name);
  }
  bool takes = true;
  std::vector<std::string> loaded;
};

class CompiledBeforehand : public KernelLibrariesTest {
 protected:
  CompiledBeforehand() { std::filesystem::create_directory(folder_); }
  ~CompiledBeforehand() override { std::filesystem::remove_all(folder_); }

  std::string put(const std::string& language, const std::string& hash) {
    const std::string name = "copy-" + language + "-" + hash + ".metallib";
    std::ofstream(folder_ / name) << "Apple's";
    return name;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / ("kernels-" + std::to_string(::getpid()));
  const std::string hash_{LoadingDevice::source_named("copy.metal").hash};
  LoadingDevice loading_{open_software()};
};

TEST_F(CompiledBeforehand, AreLoadedInTheNewestLanguage) {
  const std::string name = put("301", hash_);
  put("204", hash_);
  put("999", hash_);
  KernelLibraries kernels(loading_, false, folder_.string());
  kernels.pipeline("copy_4", constants);
  kernels.pipeline("copy_2", constants);
  EXPECT_THAT(loading_.loaded, ElementsAre(name));
}

TEST_F(CompiledBeforehand, AreNotLoadedForAnotherTextOrFastArithmetic) {
  put("301", "0123456789abcdef");
  KernelLibraries kernels(loading_, false, folder_.string());
  kernels.pipeline("copy_4", constants);
  put("301", hash_);
  KernelLibraries fast(loading_, true, folder_.string());
  fast.pipeline("copy_4", constants);
  EXPECT_THAT(loading_.loaded, IsEmpty());
  EXPECT_THAT(compiled(), ElementsAre("copy.metal", "copy.metal"));
}

TEST_F(CompiledBeforehand, AreCompiledAgainWhereTheDeviceDoesNotTakeThem) {
  loading_.takes = false;
  const std::string newer = put("301", hash_), older = put("204", hash_);
  KernelLibraries kernels(loading_, false, folder_.string());
  kernels.pipeline("copy_4", constants);
  EXPECT_THAT(loading_.loaded, ElementsAre(newer, older));
  EXPECT_THAT(compiled(), ElementsAre("copy.metal"));
}

// The host then asks the next device of its order.
TEST_F(KernelLibrariesTest, OpsOfOneThatDoesNotCompileAreRefusedByPrepare) {
  OpenDevice::stand_in = [] {
    return seam::Ref<seam::Device>(std::make_shared<PickyDevice>(open_software()));
  };
  const OpenDevice device;
  const OpenStream stream(device);
  const std::vector<float> data = {1, 2, 3, 4};
  const auto x = input(contiguous({4}), data);
  const auto indices = input(contiguous({2}), std::vector<int64_t>{3, 0});
  try {
    Node(device, "Gather", 13).prepare({x, indices}, SY_FLOAT32, {2});
    ADD_FAILURE() << "gather.metal compiles";
  } catch (const sy::Failure& failure) {
    EXPECT_EQ(failure.status(), SY_UNSUPPORTED);
    EXPECT_THAT(failure.what(), HasSubstr("error: no matching function for call to 'fmin3'"));
  }
  Node add(device, "Add", 14);
  add.prepare({x, x}, SY_FLOAT32, {4});
  EXPECT_THAT(add.run<float>(stream, {x, x}, contiguous({4})), ElementsAre(2, 4, 6, 8));
  EXPECT_THAT(device.report(), HasSubstr("gather.metal does not compile: "));
}

}  // namespace
}  // namespace mps::runtime_tests
