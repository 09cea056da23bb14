// Files are opened if they are files, and nothing waits.
#include "files/regular_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "temporary_folder.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;

// Why `open` is refused; empty if it is not.
std::string refusal(RegularFile (*open)(const fs::path&), const fs::path& path) {
  try {
    open(path);
  } catch (const std::system_error& error) {
    return error.code().message();
  }
  return "";
}

TEST(RegularFile, ReadsAllOrAsMuchAsItMay) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  const std::string bytes(200'000, 'x');
  write_bytes(path, bytes);
  EXPECT_EQ(RegularFile::to_read(path).size(), bytes.size());
  EXPECT_EQ(RegularFile::to_read(path).read(1 << 20), bytes);
  EXPECT_EQ(RegularFile::to_read(path).read(bytes.size()), bytes);
  EXPECT_EQ(RegularFile::to_read(path).read(99).size(), 100u) << "so that one can tell";
}

TEST(RegularFile, CreatesWhatIsNotThereAndAppendsToWhatIs) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  RegularFile::to_create(path, 0600).write("one");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_THROW(RegularFile::to_create(path), std::system_error);
  RegularFile::to_append(path).write(" two");
  EXPECT_EQ(bytes_in(path), "one two");
}

TEST(RegularFile, RefusesWhatIsNotAFile) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, folder.path() / "link");
  for (const fs::path& path :
       {pipe, folder.path() / "link", fs::path("/dev/null"), fs::path("/dev/zero")}) {
    EXPECT_EQ(refusal(RegularFile::to_read, path), "it is not a regular file") << path;
    EXPECT_EQ(refusal(RegularFile::to_append, path), "it is not a regular file") << path;
  }
  EXPECT_EQ(refusal(RegularFile::to_read, folder.path()), "Is a directory");
  EXPECT_EQ(refusal(RegularFile::to_append, folder.path()), "Is a directory");
  EXPECT_EQ(refusal(RegularFile::to_read, folder.path() / "no"), "No such file or directory");
}

}  // namespace
}  // namespace switchyard
