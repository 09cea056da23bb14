// When the team does not work because it is no faster than its caller alone: a region waits for all
// of its threads, so on a machine that other programs keep busy one that waits for a processor
// holds up the others.
#pragma once

#include <chrono>

namespace cpu {

// For the one team; its caller holds the team's lock. It reads no clock.
//
// A region loses what it takes longer than its caller alone would have, and gains what it takes
// less. Gains pay for later losses, up to a limit. Once losses are half a millisecond more than
// gains, the team rests for 16 times the difference, of which 2 ms count: a processor that was
// away once, for however long, says little of the next time. If the team has then worked for less
// time than it rested, it rests for twice as long, but never for more than a second. After a rest
// it may lose a 64th of that time before it is judged, because threads that sleep wake slowly. So a
// team that is of no use costs at most about a sixteenth of the time, as long as no region loses
// more than that of a second, and one that is of use again is called again within a second.
class TeamRest {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  // After a region that ended at `now`.
  void note(Time now, Duration alone, Duration taken);

  bool is_over(Time now) const { return now >= until_; }

 private:
  static constexpr std::chrono::milliseconds first_credit{4};  // a processor's loss, once
  static constexpr std::chrono::milliseconds most_credit{64};

  Duration balance_ = first_credit;  // gains less losses; the first regions make the threads
  Duration length_{};                // of the last rest
  Time until_{};                     // its end
};

}  // namespace cpu
