#pragma once

#include <switchyard/cancellation.hpp>

namespace switchyard::cli {

/// From here on Ctrl-C (SIGINT) ends the program with a line and exit code 130, unless whoever
/// started it had it ignored, as shells do for what they start with `&`.
void handle_interrupts();

/// Cancelled by Ctrl-C while an InterruptibleWork lives; for the runs of models in it.
const CancellationToken& user_cancellation();

/// While it lives, the first Ctrl-C is noted, with a line, so that the work can stop where it
/// suits; the second one ends the program. One at a time.
class InterruptibleWork {
 public:
  InterruptibleWork();
  ~InterruptibleWork();
  InterruptibleWork(const InterruptibleWork&) = delete;
  InterruptibleWork& operator=(const InterruptibleWork&) = delete;

  bool is_interrupted() const { return user_cancellation().is_cancelled(); }
};

}  // namespace switchyard::cli
