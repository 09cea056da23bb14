#include "attendance.hpp"

#include <ctime>

namespace cpu {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr microseconds patience{300};  // waking threads that sleep takes 50 to 100
constexpr milliseconds trust{5};

thread_local const char this_caller = 0;

void call_team(int threads) {
#ifdef SWITCHYARD_CPU_OPENMP
#pragma omp parallel num_threads(threads)
  {}
#else
  static_cast<void>(threads);
#endif
}

std::chrono::nanoseconds processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

bool Attendance::is_prompt(int threads) {
  const auto now = Clock::now();
  if (now < trusted_until_) return true;
  if (now < shunned_until_) return false;
  const Clock::duration taken = time_taken_from_caller();
  if (taken > patience + in_regions_ / 8) {
    shun(taken);
    return false;
  }
  call_team(threads);
  // Once more, as the first call may have had to make the threads.
  if (Clock::now() - now > patience) call_team(threads);
  const auto asked = Clock::now() - now;
  if (asked > 2 * patience) {
    shun(asked);
    return false;
  }
  begin_trust();
  return true;
}

void Attendance::note(Clock::duration worked, Clock::duration waited) {
  in_regions_ += worked + waited;
  // Who comes in time may have a piece of the work left, of which each has several.
  if (waited > patience + worked / 2) shun(waited);
}

void Attendance::begin_trust() {
  trusted_until_ = Clock::now() + trust;
  caller_ = &this_caller;
  had_ = processor_time();
  in_regions_ = {};
}

// In regions since trust began, at least.
Attendance::Clock::duration Attendance::time_taken_from_caller() const {
  if (caller_ != &this_caller) return {};
  return in_regions_ - (processor_time() - had_);
}

// So that the time lost is a small part of all time.
void Attendance::shun(Clock::duration lost) {
  constexpr int rarity = 16;
  trusted_until_ = {};
  shunned_until_ = Clock::now() + lost * rarity;
  in_regions_ = {};
}

}  // namespace cpu
