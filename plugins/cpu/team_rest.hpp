// When the team does not work, because the machine is busy with other programs: a region waits for
// all of its threads, so one that has to wait for a processor holds up the others.
#pragma once

#include <chrono>

namespace cpu {

// For the one team; its caller holds the team's lock.
class TeamRest {
 public:
  using Clock = std::chrono::steady_clock;

  // After a region: how long the caller worked in it, and then waited for the others. If they were
  // late the team rests four times as long as they kept the caller waiting, then is called again:
  // on a busy machine a fifth of the time is lost, and no lateness keeps the team away for good.
  void note(Clock::duration worked, Clock::duration waited);

  bool is_over() const { return until_ == Clock::time_point{} || Clock::now() >= until_; }

 private:
  Clock::time_point until_{};
};

}  // namespace cpu
