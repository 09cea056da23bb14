#pragma once

#include <chrono>
#include <optional>

#include <switchyard/cancellation.hpp>

namespace switchyard {

/// What may end the work of this thread before it is done: the caller's token, or a deadline.
class Interruption {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;

  Interruption() = default;
  Interruption(const CancellationToken* token, Deadline deadline)
      : token_(token), deadline_(deadline) {}

  /// False if nothing can ever interrupt: then there is nothing to look at.
  bool is_possible() const { return token_ || deadline_; }

  /// Throws Error(cancelled) or Error(deadline) if the work is to end.
  void check() const {
    if (is_possible()) [[unlikely]]
      check_now();
  }

 private:
  void check_now() const;

  const CancellationToken* token_ = nullptr;
  Deadline deadline_;
};

}  // namespace switchyard
