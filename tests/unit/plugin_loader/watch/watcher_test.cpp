#include "plugin_loader/watch/watcher.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "plugin_loader/watch/call_target.hpp"

namespace switchyard::watch {
namespace {

#ifdef __linux__
bool has_thread() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name == "switchyard-look") return true;
  }
  return false;
}

void wait_until(bool has_one) {
  while (has_thread() != has_one) std::this_thread::yield();
}

// In a child of fork(), where no runtime of another test has a deadline.
TEST(Watcher, HasAThreadWhileThereIsADeadline) {
  const CallTarget of_parent("parent:0", "parent", std::chrono::minutes(1));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    if (has_thread()) ::_exit(2);
    const CallTarget without("mine:0", "mine", std::chrono::milliseconds(0));
    if (has_thread()) ::_exit(3);
    for (int round = 0; round < 2; ++round) {
      {
        const CallTarget with("mine:1", "mine", std::chrono::minutes(1));
        const CallTarget another("mine:2", "mine", std::chrono::minutes(2));
        wait_until(true);
      }
      wait_until(false);
    }
    ::_exit(0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "2 and 3: there is one without a deadline";
}
#endif

}  // namespace
}  // namespace switchyard::watch
