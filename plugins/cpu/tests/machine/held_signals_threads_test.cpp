#include "machine/held_signals.hpp"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <atomic>
#include <csignal>
#include <vector>

#include "gemm/gemm.hpp"
#include "machine/parallel.hpp"

namespace cpu {
namespace {

std::atomic<int> taken{0};

// A timer that interrupts the process every fifth of a millisecond, while it lives.
class Interruptions {
 public:
  Interruptions() {
    struct sigaction action = {};
    action.sa_handler = [](int) { ++taken; };
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before_);
    const itimerval often{{0, 200}, {0, 200}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Interruptions() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  struct sigaction before_ = {};
};

bool is_blocked(int signal) {
  sigset_t now;
  pthread_sigmask(SIG_BLOCK, nullptr, &now);
  return sigismember(&now, signal) == 1;
}

TEST(HeldSignals, HoldWhatComesFromElsewhereAlone) {
  ASSERT_FALSE(is_blocked(SIGINT));
  {
    const HeldSignals outer;
    { const HeldSignals inner; }
    EXPECT_TRUE(is_blocked(SIGINT));
    EXPECT_TRUE(is_blocked(SIGPROF));
    EXPECT_FALSE(is_blocked(SIGSEGV));
  }
  EXPECT_FALSE(is_blocked(SIGINT));
}

TEST(HeldSignals, HandlersThatRunBesideProductsChangeNothing) {
  constexpr int64_t n = 300;
  std::vector<float> a(n * n), b(n * n), wanted(n * n), found(n * n);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 101) / 64;
    b[i] = static_cast<float>(i % 89) / 128;
  }
  const auto multiply = [&](std::vector<float>& c) {
    GemmOperand<float> left, right;
    left.view = {a.data(), n, 1};
    right.view = {b.data(), n, 1};
    gemm<float>(n, n, n, left, right, {c.data(), n, 1}, {1, false});
  };
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    multiply(wanted);
    const Interruptions interruptions;
    taken = 0;
    for (int i = 0; i < 200 || taken < 20; ++i) {
      multiply(found);
      ASSERT_EQ(found, wanted);
    }
  }
  stop_threads();
  set_thread_count(1);
}

}  // namespace
}  // namespace cpu
