// Who may have a hand in a file: nobody but its user and root, from the root down.
#include "config/trusted_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "temporary_folder.hpp"

namespace switchyard {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr uid_t kStranger = 65534;  // nobody

// FOLDER/outer/inner/file, all of this user.
class TrustedPath : public testing::Test {
 protected:
  TrustedPath() {
    fs::create_directories(inner());
    write_bytes(file(), "x");
    for (const fs::path& each : {outer(), inner()}) ::chmod(each.c_str(), 0755);
    ::chmod(file().c_str(), 0644);
  }

  fs::path outer() const { return home_.path() / "outer"; }
  fs::path inner() const { return outer() / "inner"; }
  fs::path file() const { return inner() / "file"; }
  std::string problem() const { return problem_of(file()); }
  static std::string problem_of(const fs::path& path) {
    return why_untrusted(path.string()).value_or("");
  }

 private:
  TemporaryFolder home_;
};

TEST_F(TrustedPath, IsWellWhereAllIsOnesOwn) {
  EXPECT_EQ(problem(), "");
  EXPECT_EQ(problem_of(inner() / ".." / "." / "inner" / "file"), "");
  EXPECT_EQ(problem_of(inner() / "absent"), "") << "opening it will say so";
}

TEST_F(TrustedPath, MindsEachFolderOnTheWay) {
  for (const fs::path& folder : {outer(), inner()}) {
    ::chmod(folder.c_str(), 0757);
    EXPECT_EQ(problem(), "the folder " + folder.string() +
                             " can be written to by others; run: chmod o-w '" + folder.string() +
                             "'");
    ::chmod(folder.c_str(), 01757);
    EXPECT_EQ(problem(), "") << "nobody else can replace what lies there";
    ::chmod(folder.c_str(), 0755);
  }
}

TEST_F(TrustedPath, MindsGroupsAsItDoesOthers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files to a group that it is not in";
  for (const fs::path& each : {outer(), inner(), file()}) {
    ASSERT_EQ(::chown(each.c_str(), static_cast<uid_t>(-1), kStranger), 0);
    ::chmod(each.c_str(), 0775);
    EXPECT_THAT(problem(), HasSubstr("run: chmod g-w '" + each.string() + "'"));
    ::chmod(each.c_str(), 0777);
    EXPECT_THAT(problem(), HasSubstr("run: chmod go-w '" + each.string() + "'"));
    ::chmod(each.c_str(), 0755);
  }
}

TEST_F(TrustedPath, TakesNothingOfAnotherUsers) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  for (const fs::path& each : {outer(), inner(), file()}) {
    ASSERT_EQ(::chown(each.c_str(), kStranger, static_cast<gid_t>(-1)), 0);
    EXPECT_THAT(problem(), HasSubstr(each.string() + " belongs to another user, of number 65534"));
    ASSERT_EQ(::chown(each.c_str(), 0, static_cast<gid_t>(-1)), 0);
  }
  EXPECT_EQ(problem(), "");
}

TEST_F(TrustedPath, FollowsLinksAndMindsWhatLeadsToThem) {
  const TemporaryFolder other;
  fs::create_symlink(inner(), other.path() / "link");
  const fs::path through = other.path() / "link" / "file";
  EXPECT_EQ(problem_of(through), "");
  ::chmod(outer().c_str(), 0757);
  EXPECT_THAT(problem_of(through), HasSubstr("the folder " + outer().string()));
  ::chmod(outer().c_str(), 0755);
  // Who can write there can have the link lead elsewhere.
  ::chmod(other.path().c_str(), 0757);
  EXPECT_THAT(problem_of(through), HasSubstr("the folder " + other.path().string()));
}

TEST_F(TrustedPath, MindsWhoseALinkIsInAStickyFolder) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives links away";
  fs::create_symlink(inner(), outer() / "link");
  ::chmod(outer().c_str(), 01777);
  ASSERT_EQ(::lchown((outer() / "link").c_str(), kStranger, kStranger), 0);
  EXPECT_THAT(problem_of(outer() / "link" / "file"), HasSubstr("the link "));
}

TEST_F(TrustedPath, EndsWhereLinksGoInCircles) {
  fs::create_symlink("b", inner() / "a");
  fs::create_symlink("a", inner() / "b");
  EXPECT_EQ(problem_of(inner() / "a"), "") << "opening it will say so";
}

}  // namespace
}  // namespace switchyard
