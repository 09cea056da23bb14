// Whether the system makes threads: OpenMP ends the process where it does not.
#pragma once

#include <chrono>

namespace cpu {

// Of one host thread, whose regions get their threads from OpenMP at the first of them.
class ThreadSupply {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // Whether regions of so many threads, the caller among them, can be opened. Makes the threads for
  // a trial where the last region had another number, and again a second after one that failed.
  bool suffices(int threads, Time now);

  // Before the next region its threads are made anew.
  void forget() { known_ = 1; }

 private:
  int known_ = 1;  // threads of the regions
  Time next_trial_{};
};

// Whether so many threads can live at once beside those there are; they have ended then.
bool can_make_threads(int count);

// Whether a trial has failed in this process and none has passed since.
bool lacks_threads();

}  // namespace cpu
