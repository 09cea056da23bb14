#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace switchyard {

/// So long from now on the clock of deadlines: now for a span that is negative, and none for a time
/// beyond the end of the clock.
inline std::optional<std::chrono::steady_clock::time_point> deadline_after(
    std::chrono::steady_clock::duration span) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point now = Clock::now();
  if (span >= Clock::time_point::max() - now) return std::nullopt;
  return now + std::max(span, Clock::duration::zero());
}

}  // namespace switchyard
