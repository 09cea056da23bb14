#include "software/event.hpp"

#include <algorithm>
#include <chrono>

namespace mps::software {

uint64_t Event::value() const {
  const std::lock_guard lock(guard_);
  return value_;
}

void Event::signal(uint64_t value) {
  {
    const std::lock_guard lock(guard_);
    value_ = std::max(value_, value);
  }
  risen_.notify_all();
}

bool Event::wait(uint64_t value, uint64_t nanoseconds) {
  constexpr uint64_t a_year = 365ull * 24 * 3600 * 1'000'000'000;  // more would overflow the clock
  std::unique_lock lock(guard_);
  const auto reached = [&] { return value_ >= value; };
  if (nanoseconds > a_year) {
    risen_.wait(lock, reached);
    return true;
  }
  return risen_.wait_for(lock, std::chrono::nanoseconds(nanoseconds), reached);
}

}  // namespace mps::software
