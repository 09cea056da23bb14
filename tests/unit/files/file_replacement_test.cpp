// A file that is replaced whole or not at all.
#include "files/file_replacement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "io/error_line.hpp"
#include "temporary_folder.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t files_in(const fs::path& folder) {
  const fs::directory_iterator files(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(FileReplacementTest, TakesTheNameOnlyWhenItIsWhole) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  write_bytes(path, "old");
  FileReplacement file(path);
  file.write("ne");
  file.write("w");
  EXPECT_EQ(bytes_in(path), "old");
  EXPECT_EQ(files_in(folder.path()), 2u);
  file.commit();
  EXPECT_EQ(bytes_in(path), "new");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(FileReplacementTest, LeavesNothingWithoutCommit) {
  const TemporaryFolder folder;
  write_bytes(folder.path() / "file", "old");
  { FileReplacement(folder.path() / "file").write("half"); }
  EXPECT_EQ(bytes_in(folder.path() / "file"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

/// As `ulimit -f` sets it.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit less = {bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_ = {};
};

// Its signal would end the program, and leave the part that was written.
TEST(FileReplacementTest, SaysWhereAFileGrowsBeyondTheLimitOfTheProcess) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  write_bytes(path, "old");
  {
    const FileSizeLimit limit(4096);
    FileReplacement file(path);
    file.write(std::string(4000, 'x'));
    EXPECT_THAT(error_line([&] { file.write(std::string(4000, 'x')); }),
                HasSubstr("file: cannot write it: File too large; what the file held before is"));
  }
  EXPECT_EQ(bytes_in(path), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(FileReplacementTest, ReplacesWhatALinkNames) {
  const TemporaryFolder folder;
  write_bytes(folder.path() / "file", "old");
  fs::create_symlink("file", folder.path() / "link");
  FileReplacement file(folder.path() / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(bytes_in(folder.path() / "file"), "new");
}

TEST(FileReplacementTest, MakesWhatALinkNames) {
  const TemporaryFolder folder;
  fs::create_symlink("file", folder.path() / "link");
  FileReplacement file(folder.path() / "link");
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(bytes_in(folder.path() / "file"), "new");
}

TEST(FileReplacementTest, IsTriedWithoutATrace) {
  const TemporaryFolder folder;
  write_bytes(folder.path() / "file", "old");
  check_replaceable(folder.path() / "file");
  check_replaceable(folder.path() / "other");
  EXPECT_EQ(bytes_in(folder.path() / "file"), "old");
  EXPECT_EQ(files_in(folder.path()), 1u);
  EXPECT_THAT(error_line([&] { check_replaceable(folder.path() / "no" / "file"); }),
              testing::EndsWith("no/file: cannot write it: No such file or directory"));
}

TEST(FileReplacementTest, KnowsAFileByAllItsSpellings) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  fs::create_directory(folder.path() / "sub");
  fs::create_directory_symlink(folder.path(), folder.path() / "sub" / "back");
  fs::create_symlink("file", folder.path() / "link");
  for (const bool is_there : {false, true}) {
    if (is_there) write_bytes(path, "");
    for (const char* spelling : {"file", "./file", "sub/../file", "sub/back/file", "link"}) {
      EXPECT_EQ(file_behind(folder.path() / spelling), file_behind(path)) << spelling;
    }
    EXPECT_NE(file_behind(folder.path() / "sub" / "file"), file_behind(path));
  }
}

TEST(FileReplacementTest, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  const auto refusal = [](const fs::path& path) {
    return error_line([&] { FileReplacement file(path); });
  };
  EXPECT_THAT(refusal(folder.path()), HasSubstr("cannot write it: Is a directory"));
  EXPECT_THAT(refusal("/dev/null"),
              HasSubstr("/dev/null: cannot write it: it is not a regular file"));
  EXPECT_THAT(refusal(folder.path() / "no" / "file"), HasSubstr("No such file"));
  EXPECT_EQ(files_in(folder.path()), 0u);
}

}  // namespace
}  // namespace switchyard
