// The process of an isolated plugin ends with the process that uses it, however that ends.
#include <gtest/gtest.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
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

/// Whether `body` is true in a child of fork(), which then ends at once.
bool holds_in_child(const std::function<bool()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    bool holds = false;
    try {
      holds = body();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "in the child: %s\n", error.what());
    }
    _exit(holds ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status == 0;
}

// The child shares the memory: what it lets go of is its parent's still.
TEST(IsolatedHost, KeepsItsTensorsWhenAChildOfForkDropsThem) {
  for (const char* variant : {"cpu", "opaque"}) {
    std::optional<Runtime> runtime = start_isolated({{variant, "cpu"}});
    std::optional<Tensor> kept = counting({1 << 16}).to(runtime->device(variant));
    const Floats expected = counting({1 << 16}).to_vector<float>();
    EXPECT_TRUE(holds_in_child([&] {
      kept.reset();
      runtime.reset();
      return true;
    }));
    EXPECT_EQ(kept->to_vector<float>(), expected) << variant;
  }
}

TEST(IsolatedHost, RefusesWorkInAChildOfFork) {
  for (const char* variant : {"cpu", "opaque"}) {
    const Runtime runtime = start_isolated({{variant, "cpu"}});
    const Operation relu = runtime.operation("Relu");
    const Tensor input = floats({2}, {-1, 2}).to(runtime.device(variant));
    EXPECT_TRUE(holds_in_child([&] {
      const std::string error = error_of([&] { relu(input); }).what();
      return error.find("a child of fork() has to call exec") != error.npos;
    }));
    EXPECT_EQ(relu(input).to_vector<float>(), (Floats{0, 2})) << variant;
  }
}

#ifdef __linux__
TEST(IsolatedHost, TakesItsServersAlong) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX '" + program +
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
