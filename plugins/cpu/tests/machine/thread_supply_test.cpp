// Where the system makes no threads, OpenMP would end the process.
#include "machine/thread_supply.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cpu {
namespace {

constexpr uid_t nobody = 65534;

TEST(ThreadSupply, SufficesWhereThreadsAreMade) {
  EXPECT_TRUE(can_make_threads(3));
  ThreadSupply supply;
  EXPECT_TRUE(supply.suffices(1, {}));
  EXPECT_TRUE(supply.suffices(4, {}));
  EXPECT_FALSE(lacks_threads());
}

#ifdef __linux__
// As `ulimit -u 1` sets it, which does not hold for root.
bool may_make_no_threads() {
  const rlimit one = {1, 1};
  return setrlimit(RLIMIT_NPROC, &one) == 0 && (getuid() != 0 || setuid(nobody) == 0);
}

// What a child says that may make no threads: 0 if all is as it should be.
int supply_without_threads() {
  if (!may_make_no_threads()) return 1;
  ThreadSupply supply;
  const ThreadSupply::Time now{};
  if (supply.suffices(4, now) || !lacks_threads()) return 2;
  if (supply.suffices(4, now + std::chrono::milliseconds(999))) return 3;
  if (supply.suffices(4, now + std::chrono::seconds(2))) return 4;
  return supply.suffices(1, now) ? 0 : 5;
}

TEST(ThreadSupply, IsLackingWhereTheSystemMakesNone) {
  const pid_t child = fork();
  if (child == 0) _exit(supply_without_threads());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

}  // namespace
}  // namespace cpu
