// oneDNN's products of floats use the stack pointer for other things (seen in 2.6 with AVX-512). A
// signal handler that runs meanwhile on the thread's own stack writes into the heap.
#pragma once

namespace cpu {

// While one lives, signals that are for the process or come from other threads wait or go to
// another thread; those that the thread's own instructions raise come through. Within another one,
// or in a worker of the team, it costs nothing; else two system calls.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  // For the calling thread from now on: for the team's threads. OpenMP may lend these to regions of
  // the program's own, too, which then take no signals either.
  static void for_good();
};

}  // namespace cpu
