// The process of an isolated plugin ends with the process that uses it, however that ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "plugin_loader/isolation/isolated.hpp"

namespace switchyard {
namespace {

// Not a test: what another process of this program does for the one below.
TEST(IsolatedHost, DISABLED_IsKilled) {
  const Runtime runtime = start_isolated({{"cpu"}});
  std::printf("served by %d\n", process_of(runtime.device("cpu")));
  std::fflush(stdout);
  ::raise(SIGKILL);
}

#ifdef __linux__
TEST(IsolatedHost, TakesItsServersAlong) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_BRIEF '" + program +
                              "' --gtest_also_run_disabled_tests " +
                              "--gtest_filter=IsolatedHost.DISABLED_IsKilled 2>/dev/null";
  FILE* const output = ::popen(command.c_str(), "r");
  ASSERT_NE(output, nullptr);
  pid_t server = -1;
  char line[256];
  while (std::fgets(line, sizeof(line), output) != nullptr) {
    const std::string text = line;
    const std::string before = "served by ";
    if (text.rfind(before, 0) == 0) server = std::atoi(text.c_str() + before.size());
  }
  ::pclose(output);
  ASSERT_GT(server, 0);
  EXPECT_TRUE(is_gone_soon(server));
}
#endif

}  // namespace
}  // namespace switchyard
