#include "attendance.hpp"

#include <algorithm>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr microseconds patience{300};  // waking threads that sleep takes 50 to 100
constexpr milliseconds trust{5};
constexpr milliseconds first_pause{20};
constexpr milliseconds longest_pause{1000};

void call_team(int threads) {
#ifdef SWITCHYARD_CPU_OPENMP
#pragma omp parallel num_threads(threads)
  {}
#else
  static_cast<void>(threads);
#endif
}

}  // namespace

bool Attendance::ask(int threads) {
  const auto start = Clock::now();
  call_team(threads);
  return Clock::now() - start < patience;
}

bool Attendance::is_prompt(int threads) {
  const auto now = Clock::now();
  if (now < trusted_until_) return true;
  if (now < shunned_until_) return false;
  // Twice, as the first call may have to make the threads.
  if (ask(threads) || ask(threads)) {
    pause_ = first_pause;
    trusted_until_ = Clock::now() + trust;
    return true;
  }
  pause_ = std::clamp<Clock::duration>(pause_ * 2, first_pause, longest_pause);
  shunned_until_ = Clock::now() + pause_;
  return false;
}

}  // namespace cpu
