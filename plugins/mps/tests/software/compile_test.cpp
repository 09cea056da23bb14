// Sources given at run time.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "kernels/sources.hpp"
#include "temporary_folder.hpp"
#include "test_device.hpp"

namespace mps::software::test {
namespace {

namespace fs = std::filesystem;

fs::path cache_in(const TemporaryFolder& folder) { return folder.path() / "cache"; }

Settings with_cache(const TemporaryFolder& folder) {
  Settings result = settings();
  result.cache_folder = cache_in(folder).string();
  return result;
}

size_t count_files(const fs::path& folder, const char* extension) {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    count += entry.path().extension() == extension;
  }
  return count;
}

std::string compile_error(seam::Device& device, std::string_view text) {
  return failure_of([&] { device.library({"broken.metal", text}); }, seam::Fault::compilation);
}

TEST(Compile, ErrorsHaveTheSourcesLines) {
  const auto device = open();
  const std::string error = compile_error(*device,
                                          "#include <metal_stdlib>\n"
                                          "using namespace metal;\n"
                                          "kernel void k(device float* x [[buffer(0)]],\n"
                                          "              uint i [[thread_position_in_grid]]) {\n"
                                          "  x[i] = undeclared(x[i]);\n"
                                          "}\n");
  EXPECT_NE(error.find("broken.metal:5:"), std::string::npos) << error;
  EXPECT_NE(error.find("undeclared"), std::string::npos) << error;
}

TEST(Compile, LintsHaveTheSourcesLines) {
  const auto device = open();
  EXPECT_EQ(compile_error(*device, "\n\nint counter = 0;\n"),
            "broken.metal:3: error: 'counter' outside functions is not in the constant address "
            "space");
}

TEST(Compile, LinesAreRightAfterMacrosAndGroupVariables) {
  const auto device = open();
  const std::string error = compile_error(*device,
                                          "#define TWO_LINES(x) \\\n"
                                          "  x\n"
                                          "kernel void k(device float* y [[buffer(0)]]) {\n"
                                          "  threadgroup float a[2],\n"
                                          "      b;\n"
                                          "  y[0] = TWO_LINES(a[0]) + b + missing;\n"
                                          "}\n");
  EXPECT_NE(error.find("broken.metal:6:"), std::string::npos) << error;
}

TEST(Compile, ACompilerThatIsNotThereIsSaid) {
  const TemporaryFolder folder;
  Settings wanted = with_cache(folder);
  wanted.compiler = "/nowhere/c++";
  const auto error = compile_error(*open(wanted), "kernel void k(device int* x [[buffer(0)]]) {}");
  EXPECT_NE(error.find("cannot start the compiler '/nowhere/c++'"), std::string::npos) << error;
}

constexpr const char* small = "kernel void k(device int* x [[buffer(0)]]) { x[0] = 1; }";

TEST(Compile, TheSameSourceIsCompiledOnce) {
  const TemporaryFolder folder;
  open(with_cache(folder))->library({"a.metal", small});
  EXPECT_EQ(count_files(cache_in(folder), ".so"), 1u);
  Settings without = with_cache(folder);
  const fs::path object = fs::directory_iterator(cache_in(folder))->path();
  const auto before = fs::last_write_time(object);
  open(without)->library({"a.metal", small});
  EXPECT_EQ(fs::last_write_time(object), before);
  EXPECT_EQ(count_files(cache_in(folder), ".so"), 1u);
  EXPECT_EQ(std::distance(fs::directory_iterator(cache_in(folder)), fs::directory_iterator()), 2);
}

TEST(Compile, FastMathIsAnotherLibrary) {
  const TemporaryFolder folder;
  const auto device = open(with_cache(folder));
  device->library({"a.metal", small, false});
  EXPECT_EQ(device->library({"a.metal", small, true})->functions().size(), 1u);
  EXPECT_EQ(count_files(cache_in(folder), ".so"), 2u);
}

// Ours stay precise, so that the fast option compiles nothing anew; a user's text does not, even
// if it is one of ours.
TEST(Compile, FastMathIsForTheUsersKernels) {
  Settings settings = test::settings();
  settings.compiler = "/nowhere/c++";
  const auto device = test::open(settings);
  seam::Source ours = kernel_sources().front();
  ours.fast_math = true;
  EXPECT_EQ(test::failure_of([&] { device->library(ours); }, seam::Fault::compilation), "nothing");
  const std::string text(ours.text);
  seam::Source users{"mine.metal", text, false};
  EXPECT_EQ(test::failure_of([&] { device->library(users); }, seam::Fault::compilation), "nothing");
  users.fast_math = true;
  EXPECT_NE(test::failure_of([&] { device->library(users); }, seam::Fault::compilation), "nothing");
}

TEST(Compile, AnotherSourceWithTheSameHashIsNotTaken) {
  const TemporaryFolder folder;
  open(with_cache(folder))->library({"a.metal", small});
  for (const auto& entry : fs::directory_iterator(cache_in(folder))) {
    if (entry.path().extension() != ".key") continue;
    FILE* const key = std::fopen(entry.path().c_str(), "w");
    std::fputs("another key with this hash", key);
    std::fclose(key);
  }
  open(with_cache(folder))->library({"a.metal", small});
  EXPECT_EQ(count_files(cache_in(folder), ".so"), 2u);
}

TEST(Compile, TheCacheIsTheUsersAlone) {
  const TemporaryFolder folder;
  open(with_cache(folder))->library({"a.metal", small});
  EXPECT_EQ(fs::status(cache_in(folder)).permissions(), fs::perms::owner_all);
  fs::permissions(cache_in(folder), fs::perms::all);
  EXPECT_NE(compile_error(*open(with_cache(folder)), small).find("is open to others"),
            std::string::npos);
}

TEST(Compile, HundredsOfLibrariesCanBeLoaded) {
  const auto device = open();
  std::vector<seam::Ref<seam::Library>> libraries;
  for (int i = 0; i < 300; ++i) libraries.push_back(device->library({"a.metal", small}));
  EXPECT_EQ(libraries.back()->functions(), std::vector<std::string>{"k"});
}

}  // namespace
}  // namespace mps::software::test
