// Calls that do not come back, and quick ones beside them, on many threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "plugin_loader/plugin_api.hpp"
#include "plugin_loader/watch/call_target.hpp"
#include "plugin_loader/watch/thread_calls.hpp"
#include "plugin_loader/watch/told_lines.hpp"

namespace switchyard::watch {
namespace {

using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;

constexpr milliseconds kDeadline{50};

std::atomic<bool> is_held{false};

sy_status hold(sy_run_args*, sy_error*) {
  while (is_held) std::this_thread::sleep_for(milliseconds(1));
  return SY_OK;
}
sy_status return_at_once(sy_run_args*, sy_error*) { return SY_OK; }

void call(sy_status (*function)(sy_run_args*, sy_error*), const CallTarget& target) {
  sy_run_args args{};
  sy_error error{};
  PluginFunction<sy_run_args>(function, "run", &target)(&args, &error);
}

// A call that is under way as long as this lives.
class HeldCall {
 public:
  explicit HeldCall(const CallTarget& target) {
    is_held = true;
    thread_ = std::thread([&target] {
      const OpScope op("Relu");
      note_node("the node");
      call(hold, target);
      note_node({});
    });
  }
  ~HeldCall() {
    is_held = false;
    thread_.join();
  }

 private:
  std::thread thread_;
};

double seconds_in(const std::string& line) {
  const std::size_t end = line.find(" s, on thread ");
  return std::stod(line.substr(line.rfind(' ', end - 1) + 1));
}

TEST(WatchedCalls, AreToldOfOnceAndWheneverTheTimeHasDoubled) {
  ToldLines told;
  const CallTarget target("mine:0", "mine", kDeadline);
  {
    const HeldCall held(target);
    const std::string first = told.wait_for("has not come back");
    EXPECT_THAT(first, MatchesRegex("warn: mine:0: run for Relu, node 'the node': has not come "
                                    "back for .* s, on thread [0-9]+\\. A call in this .*"));
    EXPECT_THAT(first, HasSubstr("plugins.mine.isolation"));
    double least = 0.05;
    EXPECT_GE(seconds_in(first), least);
    for (const std::string& line : told.wait_for_many("has still not come back", 3)) {
      least *= 2;
      EXPECT_GE(seconds_in(line), least) << line;
      EXPECT_THAT(line, Not(HasSubstr("isolation"))) << "that was said";
    }
  }
  EXPECT_THAT(told.wait_for("has come back"), HasSubstr("info: mine:0: run for Relu, node 'the "
                                                        "node': has come back after "));
  EXPECT_EQ(told.all_of("has not come back").size(), 1u);
}

TEST(WatchedCalls, ThatAreQuickAreNotToldOf) {
  ToldLines told;
  const CallTarget slow("slow:0", "slow", kDeadline);
  // Long enough that no thread is kept from its processor for as long within one call.
  const CallTarget quick("quick:0", "quick", 20 * kDeadline);
  std::atomic<bool> is_over{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      while (!is_over) {
        const OpScope op("Add");
        note_node("another");
        call(return_at_once, quick);
        note_node({});
        std::this_thread::yield();
      }
    });
  }
  {
    const HeldCall held(slow);
    told.wait_for_many("slow:0", 6);  // when 32 deadlines have passed
  }
  is_over = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(told.all_of("quick:0"), ElementsAre());
}

TEST(WatchedCalls, GoOnBehindTheOnesThatTheyMake) {
  ToldLines told;
  const CallTarget target("mine:0", "mine", kDeadline);
  std::atomic<bool> may_end{false};
  std::thread thread([&] {
    const CallScope outer("copy", &target);
    { const CallScope inner("run", &target); }
    while (!may_end) std::this_thread::sleep_for(milliseconds(1));
  });
  told.wait_for("mine:0: copy: has not come back");
  may_end = true;
  thread.join();
  EXPECT_THAT(told.all_of("mine:0: run"), ElementsAre());
}

TEST(WatchedCalls, CanBeAskedFor) {
  const CallTarget target("mine:0", "mine", milliseconds(0));
  const CallTarget other("other:0", "other", milliseconds(0));
  EXPECT_THAT(target.calls_under_way(), ElementsAre());
  const HeldCall held(target);
  while (target.calls_under_way().empty()) std::this_thread::yield();
  EXPECT_THAT(target.calls_under_way(),
              ElementsAre(MatchesRegex("run for Relu, node 'the node', on thread [0-9]+")));
  EXPECT_THAT(other.calls_under_way(), ElementsAre());
}

class Work final : public WorkUnderWay {
 public:
  ~Work() { await_readers(); }
  std::optional<std::uint64_t> pieces_done() const noexcept override { return done; }
  std::string description() const override { return "some work"; }

  std::atomic<std::uint64_t> done{0};
};

// Calls within a wait are the wait's: those that fail at once make no progress.
TEST(WatchedCalls, OfAWaitMayTakeTheDeadlineForEachPieceOfWork) {
  ToldLines told;
  const CallTarget target("mine:0", "mine", kDeadline);
  Work work;
  std::atomic<bool> may_end{false};
  std::thread thread([&] {
    const WaitScope waits(target, work);
    while (!may_end) {
      call(return_at_once, target);
      std::this_thread::sleep_for(milliseconds(1));
    }
  });
  EXPECT_THAT(told.wait_for("mine:0: wait: has seen no work complete for "),
              HasSubstr("; some work. A call in this process"));
  ++work.done;
  EXPECT_THAT(told.wait_for("mine:0: wait: goes on after "), HasSubstr("info: "));
  EXPECT_EQ(told.wait_for_many("mine:0: wait: has seen no work complete", 2).size(), 2u)
      << "the next piece hangs, too";
  may_end = true;
  thread.join();
  told.wait_for("mine:0: wait: has come back after ");
}

TEST(WatchedCalls, OfThreadsThatComeAndGo) {
  const ToldLines told;  // some may well take a millisecond
  const CallTarget target("mine:0", "mine", kDeadline);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        const CallTarget own("own:0", "own", milliseconds(1));
        for (int calls = 0; calls < 20; ++calls) call(return_at_once, calls % 2 ? own : target);
        own.calls_under_way();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace
}  // namespace switchyard::watch
