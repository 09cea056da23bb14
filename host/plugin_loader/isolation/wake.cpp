#include "plugin_loader/isolation/wake.hpp"

#ifdef __linux__
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>
#else
#include <algorithm>
#include <thread>
#endif

namespace switchyard::isolation {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free,
              "a word in shared memory must not need a lock of one process");
static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t));

#ifdef __linux__

namespace {

long futex(const std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* limit) noexcept {
  return ::syscall(SYS_futex, &word, operation, value, limit, nullptr, 0);
}

}  // namespace

void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
              std::chrono::nanoseconds limit) noexcept {
  const timespec time = {static_cast<time_t>(limit.count() / 1'000'000'000),
                         static_cast<long>(limit.count() % 1'000'000'000)};
  futex(word, FUTEX_WAIT, seen, &time);
}

void wake_all(const std::atomic<std::uint32_t>& word) noexcept {
  futex(word, FUTEX_WAKE, INT_MAX, nullptr);
}

#else

// Other systems have no public call for this in all their versions: naps that grow while nothing
// happens cost little, and at most the length of the longest.
void sleep_on(const std::atomic<std::uint32_t>& word, std::uint32_t seen,
              std::chrono::nanoseconds limit) noexcept {
  constexpr std::chrono::nanoseconds kShortest{20'000}, kLongest{1'000'000};
  std::chrono::nanoseconds nap = kShortest, slept{0};
  while (slept < limit && word.load(std::memory_order_acquire) == seen) {
    std::this_thread::sleep_for(std::min(nap, limit - slept));
    slept += nap;
    nap = std::min(2 * nap, kLongest);
  }
}

void wake_all(const std::atomic<std::uint32_t>&) noexcept {}

#endif

}  // namespace switchyard::isolation
