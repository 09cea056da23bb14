#include "machine/thread_supply.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "machine/host_log.hpp"

namespace cpu {
namespace {

constexpr std::chrono::seconds between_trials{1};

std::atomic<bool> is_lacking{false};

void note_lack() {
  static std::atomic<bool> is_told{false};
  is_lacking.store(true);
  if (is_told.exchange(true)) return;
  host_log().get().warn(
      "the system makes no more threads for this process, so the cpu works with fewer; raise the "
      "limit on processes (ulimit -u, pids.max), or set plugins.cpu.options.threads");
}

}  // namespace

bool can_make_threads(int count) {
  std::mutex end;
  std::unique_lock all_made(end);
  std::vector<std::thread> threads;
  bool are_made = true;
  try {
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&end] { const std::lock_guard wait(end); });
    }
  } catch (const std::exception&) {
    are_made = false;
  }
  all_made.unlock();
  for (std::thread& thread : threads) thread.join();
  return are_made;
}

bool ThreadSupply::suffices(int threads, Time now) {
  if (threads <= 1 || threads == known_) return true;
  if (now < next_trial_) return false;
  if (can_make_threads(threads - 1)) {
    known_ = threads;
    is_lacking.store(false);
    return true;
  }
  next_trial_ = now + between_trials;
  note_lack();
  return false;
}

bool lacks_threads() { return is_lacking.load(); }

}  // namespace cpu
