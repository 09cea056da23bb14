// How much memory a process may use: its machine's, or what its control groups allow.
#include "switchyard/plugin/machine_memory.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "temporary_folder.hpp"

namespace sy {
namespace {

namespace fs = std::filesystem;

/// A system with these groups.
class Groups {
 public:
  /// `text` is what /proc/self/cgroup would hold.
  void join(const std::string& text) { write("cgroup", text); }
  void write(const std::string& file, const std::string& text) {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream(folder_.path() / file) << text;
  }
  std::uint64_t memory() const {
    return group_memory_bytes(folder_.path() / "cgroup", folder_.path() / "fs");
  }

 private:
  TemporaryFolder folder_;
};

TEST(MachineMemory, IsNotZeroAndNotMoreThanAnyMachineHas) {
  EXPECT_GT(machine_memory_bytes(), std::uint64_t{1} << 20);
  EXPECT_LT(machine_memory_bytes(), std::uint64_t{1} << 50);
}

TEST(MachineMemory, GroupsOfVersion2LimitAllBelowThem) {
  Groups groups;
  groups.join("0::/user.slice/job.scope\n");
  EXPECT_EQ(groups.memory(), UINT64_MAX);
  groups.write("fs/user.slice/job.scope/memory.max", "max\n");
  EXPECT_EQ(groups.memory(), UINT64_MAX);
  groups.write("fs/user.slice/memory.max", "4294967296\n");
  EXPECT_EQ(groups.memory(), 4294967296u);
  groups.write("fs/user.slice/job.scope/memory.max", "1073741824\n");
  EXPECT_EQ(groups.memory(), 1073741824u);
}

TEST(MachineMemory, AContainerSeesItsGroupAsTheRoot) {
  Groups groups;
  groups.join("0::/\n");
  groups.write("fs/memory.max", "536870912\n");
  EXPECT_EQ(groups.memory(), 536870912u);
  groups.join("0::/../outside\n");
  EXPECT_EQ(groups.memory(), 536870912u);
}

TEST(MachineMemory, GroupsOfVersion1HaveAHierarchyOfTheirOwn) {
  Groups groups;
  groups.join("5:cpu,cpuacct:/other\n4:memory:/docker/x\n0::/\n");
  groups.write("fs/memory/docker/x/memory.limit_in_bytes", "268435456\n");
  EXPECT_EQ(groups.memory(), 268435456u);
}

TEST(MachineMemory, WhatIsNotThereOrDamagedIsNoLimit) {
  Groups groups;
  EXPECT_EQ(groups.memory(), UINT64_MAX);
  for (const char* text : {"", "\n", ":", "0:", "0::", "memory", "\n\n::\n"}) {
    groups.join(text);
    groups.write("fs/memory.max", "many\n");
    EXPECT_EQ(groups.memory(), UINT64_MAX) << text;
  }
}

}  // namespace
}  // namespace sy
