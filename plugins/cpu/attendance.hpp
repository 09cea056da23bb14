// Whether the team's threads come when they are called. On a machine whose processors are busy with
// other programs a thread may come milliseconds late, and every parallel region waits for all; then
// work is faster on the caller's thread alone.
#pragma once

#include <chrono>

namespace cpu {

// For the one team; its caller holds the team's lock.
class Attendance {
 public:
  // Calls the team now and then to find out; between calls remembers.
  bool is_prompt(int threads);

 private:
  using Clock = std::chrono::steady_clock;

  bool ask(int threads);

  Clock::time_point trusted_until_{};
  Clock::time_point shunned_until_{};
  Clock::duration pause_{};  // how long the team is shunned; doubles from time to time
};

}  // namespace cpu
