// Whether the team's threads come when they are called. On a machine whose processors are busy with
// other programs a thread may come milliseconds late, and every parallel region waits for all; or
// it comes to the caller's own processor and keeps the caller from its work. Then work is faster on
// the caller's thread alone.
#pragma once

#include <chrono>

namespace cpu {

// For the one team; its caller holds the team's lock.
class Attendance {
 public:
  using Clock = std::chrono::steady_clock;

  // Calls the team now and then to find out; between calls remembers.
  bool is_prompt(int threads);

  // After a region: how long the caller worked in it, and then waited for the others.
  void note(Clock::duration worked, Clock::duration waited);

 private:
  void begin_trust();
  void shun(Clock::duration lost);
  Clock::duration time_taken_from_caller() const;

  Clock::time_point trusted_until_{};
  Clock::time_point shunned_until_{};

  // Since trust began: who called, the processor time it had had, and its time in regions.
  const void* caller_ = nullptr;
  Clock::duration had_{}, in_regions_{};
};

}  // namespace cpu
