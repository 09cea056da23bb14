// Only the file that the configuration names, unharmed and out of others' reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdio>
#include <string>

#include "plugin_loader/fakes.hpp"
#include "plugin_loader/library_file.hpp"
#include "plugin_loader/load.hpp"

namespace switchyard {
namespace {

using ::testing::HasSubstr;

// By the tool that people use for it.
std::string sha256sum(const std::filesystem::path& path) {
  std::FILE* pipe = ::popen(("sha256sum " + path.string()).c_str(), "r");
  char digits[65] = {};
  const std::size_t size = std::fread(digits, 1, 64, pipe);
  ::pclose(pipe);
  return {digits, size};
}

std::string pin_of(const std::string& digits) { return "sha256 = \"" + digits + "\"\n"; }

TEST(Trust, TakesThePinnedLibrary) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  const LoadResult result = load_library(library, pin_of(sha256sum(library)));
  EXPECT_TRUE(result.plugin) << result.failure->reason;
}

TEST(Trust, RefusesAnotherLibraryThanThePinnedAndNeverOpensIt) {
  const ScratchFolder scratch;
  // This one would kill the process that opens it.
  const auto library = scratch.copy_of("aborts_at_load");
  LoadContext context = trial_context();
  context.probe_program.clear();
  const LoadResult result = load_library(library, pin_of(std::string(64, 'a')), context);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->problem, LoadProblem::wrong_sha256);
  EXPECT_THAT(result.failure->reason, HasSubstr(sha256sum(library)));
  EXPECT_THAT(result.failure->reason,
              HasSubstr("plugins.mine.sha256 pins " + std::string(64, 'a')));
  EXPECT_THAT(result.failure->remedy, HasSubstr("sha256 = \"" + sha256sum(library) + "\""));
}

void expect_untrusted(const std::filesystem::path& library, const std::string& remedy) {
  const LoadResult result = load_library(library);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->problem, LoadProblem::not_trusted);
  EXPECT_EQ(result.failure->remedy, remedy);
}

TEST(Trust, RefusesALibraryThatOthersCanWrite) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  ::chmod(library.c_str(), 0757);
  expect_untrusted(library, "Run: chmod o-w '" + library.string() + "'");
}

TEST(Trust, RefusesALibraryInAFolderThatOthersCanWrite) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  ::chmod(scratch.path().c_str(), 0757);
  expect_untrusted(library, "Run: chmod o-w '" + scratch.path().string() + "'");
  ::chmod(scratch.path().c_str(), 01757);  // the sticky bit keeps others from replacing it
  EXPECT_TRUE(load_library(library).plugin);
}

TEST(Trust, FollowsLinksToWhereTheLibraryIs) {
  const ScratchFolder open;
  const ScratchFolder scratch;
  const auto library = open.copy_of("good");
  std::filesystem::create_symlink(library, scratch.path() / "link.so");
  ::chmod(open.path().c_str(), 0757);
  expect_untrusted(scratch.path() / "link.so", "Run: chmod o-w '" + open.path().string() + "'");
  ::chmod(open.path().c_str(), 0755);
  const LoadResult result = load_library(scratch.path() / "link.so");
  ASSERT_TRUE(result.plugin);
  EXPECT_EQ(result.plugin->library(), std::filesystem::canonical(library));
}

TEST(Trust, NoticesAFileThatChanges) {
  const ScratchFolder scratch;
  const auto library = scratch.copy_of("good");
  const LibraryFile file(library);
  EXPECT_NO_THROW(file.check_unchanged());
  scratch.copy_of("asynchronous", "other.so");
  std::filesystem::rename(scratch.path() / "other.so", library);
  EXPECT_THROW(file.check_unchanged(), LoadError);
}

std::string reason_of(const std::filesystem::path& library) {
  const LoadResult result = load_library(library);
  return result.failure ? result.failure->reason : "it was loaded";
}

TEST(Trust, SaysWhatAFileIsThatIsNoLibrary) {
  const ScratchFolder scratch;
  EXPECT_THAT(reason_of(scratch.write("text.so", "hello\n")), HasSubstr("is a text file"));
  EXPECT_THAT(reason_of(scratch.write("empty.so", "")), HasSubstr("is empty"));
  EXPECT_THAT(reason_of(scratch.write("elf.so",
                                      "\x7f"
                                      "ELF")),
              HasSubstr("is cut short"));
  EXPECT_THAT(reason_of(build_folder() / "bin" / "switchyard-probe"),
              HasSubstr("cannot dynamically load"));
}

TEST(Trust, RefusesALibraryCutAtEveryEighthOfItself) {
  const ScratchFolder scratch;
  const auto whole = std::filesystem::file_size(fake_library("good"));
  for (std::uintmax_t part = 1; part < 8; ++part) {
    const auto library = scratch.copy_of("good", "cut" + std::to_string(part) + ".so");
    std::filesystem::resize_file(library, whole * part / 8);
    EXPECT_THAT(reason_of(library), HasSubstr("is cut short")) << part;
  }
}

}  // namespace
}  // namespace switchyard
