#include "machine/processors.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "temporary_folder.hpp"

namespace cpu {
namespace {

namespace fs = std::filesystem;

// A file system of a few files, in the place of /.
class Quota : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const fs::path file = root_.path() / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  int processors() const { return quota_processors(root_.path().string()); }

  const TemporaryFolder root_;
};

TEST_F(Quota, NoneWithoutControlGroups) { EXPECT_EQ(processors(), 0); }

TEST_F(Quota, OfVersion2) {
  write("proc/self/cgroup", "0::/service/worker\n");
  write("sys/fs/cgroup/service/worker/cpu.max", "max 100000\n");
  EXPECT_EQ(processors(), 0);
  write("sys/fs/cgroup/service/worker/cpu.max", "400000 100000\n");
  EXPECT_EQ(processors(), 4);
  write("sys/fs/cgroup/service/cpu.max", "250000 100000\n");
  EXPECT_EQ(processors(), 2) << "a group above allows less, rounded down";
}

TEST_F(Quota, OfAContainerThatSeesItsOwnGroupAsTheRoot) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.max", "150000 100000\n");
  EXPECT_EQ(processors(), 1);
}

TEST_F(Quota, OfVersion1) {
  write("proc/self/cgroup", "7:memory:/box\n4:cpu,cpuacct:/box\n");
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(processors(), 0);
  write("sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "300000\n");
  EXPECT_EQ(processors(), 3);
}

TEST_F(Quota, LessThanOneProcessorIsOne) {
  write("proc/self/cgroup", "0::/\n");
  write("sys/fs/cgroup/cpu.max", "5000 100000\n");
  EXPECT_EQ(processors(), 1);
}

TEST_F(Quota, NonsenseIsNone) {
  write("proc/self/cgroup", "what\n0::nowhere\n");
  write("sys/fs/cgroup/cpu.max", "soon later\n");
  EXPECT_EQ(processors(), 0);
}

TEST(UsableProcessors, AtLeastOne) { EXPECT_GE(usable_processors(), 1); }

}  // namespace
}  // namespace cpu
