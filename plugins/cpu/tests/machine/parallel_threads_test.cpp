#include "machine/parallel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "run/packed.hpp"

#ifdef SWITCHYARD_CPU_OPENMP
#include <omp.h>
#endif

namespace cpu {
namespace {

class Parallel : public ::testing::Test {
 protected:
  static constexpr int kThreads = 4;
  void SetUp() override { set_thread_count(kThreads); }
  void TearDown() override { stop_threads(); }
};

void expect_covered(int64_t count, int64_t grain) {
  std::vector<std::atomic<int>> touched(static_cast<size_t>(count));
  parallel_for(count, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) ++touched[i];
  });
  for (int64_t i = 0; i < count; ++i) ASSERT_EQ(touched[i], 1) << i << " of " << count;
}

TEST_F(Parallel, EveryElementOnce) {
  for (const int64_t count : {0, 1, 2, 7, 100, 1023, 100'000}) {
    for (const int64_t grain : {1, 3, 1000}) expect_covered(count, grain);
  }
}

TEST_F(Parallel, NestedRegionsRunInline) {
  std::atomic<int64_t> sum{0};
  parallel_for(64, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      parallel_for(10, 1, [&](int64_t from, int64_t to) { sum += to - from; });
    }
  });
  EXPECT_EQ(sum, 640);
}

TEST_F(Parallel, ExceptionsComeBack) {
  const auto throwing = [] {
    parallel_for(1000, 1, [](int64_t begin, int64_t) {
      if (begin > 0) throw std::runtime_error("from a piece");
    });
    parallel_for(1000, 1000, [](int64_t, int64_t) { throw std::runtime_error("from a piece"); });
  };
  EXPECT_THROW(throwing(), std::runtime_error);
  expect_covered(1000, 1);
}

TEST_F(Parallel, CallersTakeTurns) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([] {
      set_thread_count(kThreads);
      for (int k = 0; k < 50; ++k) expect_covered(5000, 10);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

#ifdef __linux__
size_t threads_of_this_process() {
  const std::filesystem::directory_iterator threads("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(threads), end(threads)));
}

TEST_F(Parallel, ADismissedTeamLeavesNoThreadsAndComesWhenCalledAgain) {
#ifdef KMP_VERSION_MAJOR
  GTEST_SKIP() << "LLVM's OpenMP keeps its threads";
#endif
  stop_threads();
  const size_t alone = threads_of_this_process();
  for (int i = 0; i < 3; ++i) {
    expect_covered(1000, 1);
    stop_threads();
    while (threads_of_this_process() > alone) std::this_thread::yield();  // they end by themselves
  }
}
#endif

#ifdef __linux__
std::set<std::string> threads_by_number() {
  std::set<std::string> numbers;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
    numbers.insert(entry.path().filename());
  }
  return numbers;
}

TEST_F(Parallel, SmallRegionsKeepAllThreadsForTheLargeOnesAfterThem) {
  expect_covered(1000, 1);
  const auto before = threads_by_number();
  for (int i = 0; i < 20; ++i) {
    expect_covered(2, 1);
    expect_covered(1000, 1);
  }
  EXPECT_EQ(threads_by_number(), before);
}

TEST_F(Parallel, AForkedChildWorksAlone) {
  expect_covered(1000, 1);
  const pid_t child = fork();
  if (child == 0) {
    const size_t before = threads_of_this_process();  // the thread sanitizer has one of its own
    expect_covered(1000, 1);
    const bool alone = TeamTurn(true).threads() == 1 && threads_of_this_process() == before;
    stop_threads();
    _exit(alone && !HasFailure() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

TEST_F(Parallel, ATurnKeepsTheTeamFromOthers) {
  const TeamTurn turn;
  EXPECT_THAT(turn.threads(), testing::AnyOf(1, kThreads)) << "1 on a machine that is busy";
  std::thread other([] {
    set_thread_count(kThreads);
    const TeamTurn late;
    EXPECT_EQ(late.threads(), 1);
    expect_covered(1000, 1);
  });
  other.join();
}

TEST(Packed, OneForAConstantAndAFormWhileItLives) {
  std::atomic<int> made{0};
  const auto make = [&] {
    ++made;
    return std::make_shared<const std::string>("packed");
  };
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<const void>> kept(8);
  for (size_t i = 0; i < kept.size(); ++i) {
    threads.emplace_back([&, i] { kept[i] = packed_constant(7, "form", make); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  for (const auto& data : kept) EXPECT_EQ(data, kept[0]);
  packed_constant(7, "another", make);
  EXPECT_EQ(made, 2);
  kept.clear();
  packed_constant(7, "form", make);
  EXPECT_EQ(made, 3);
}

}  // namespace
}  // namespace cpu
