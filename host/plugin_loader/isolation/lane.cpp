#include "plugin_loader/isolation/lane.hpp"

#include <thread>

namespace switchyard::isolation {
namespace {

void pause() noexcept {
#if defined(__x86_64__) || defined(_M_X64)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

}  // namespace

std::chrono::nanoseconds spinning_time() noexcept {
  static const bool alone = std::thread::hardware_concurrency() == 1;
  return alone ? std::chrono::nanoseconds{0} : std::chrono::microseconds{50};
}

// Who sleeps says so before it looks for the last time, and who hands over looks afterwards whether
// the other sleeps: so one of them sees the other.
std::uint32_t await_turn(const std::atomic<std::uint32_t>& turn, std::uint32_t seen,
                         std::atomic<std::uint32_t>& sleeps, std::chrono::nanoseconds spin,
                         std::chrono::nanoseconds limit) noexcept {
  constexpr int kLooksBetweenTimes = 32;
  std::uint32_t now = turn.load(std::memory_order_acquire);
  if (now != seen) return now;
  const auto end = std::chrono::steady_clock::now() + spin;
  do {
    for (int look = 0; look < kLooksBetweenTimes; ++look) {
      now = turn.load(std::memory_order_acquire);
      if (now != seen) return now;
      pause();
    }
  } while (std::chrono::steady_clock::now() < end);
  sleeps.store(1, std::memory_order_seq_cst);
  if (turn.load(std::memory_order_seq_cst) == seen) sleep_on(turn, seen, limit);
  sleeps.store(0, std::memory_order_relaxed);
  return turn.load(std::memory_order_acquire);
}

}  // namespace switchyard::isolation
