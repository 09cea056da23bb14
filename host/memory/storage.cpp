#include "memory/storage.hpp"

#include <algorithm>
#include <mutex>

namespace switchyard {

void Storage::record_use(Clock& clock, std::uint64_t sequence) {
  const std::scoped_lock guard(lock_);
  for (auto& [used_by, last] : uses_) {
    if (used_by == &clock) {
      last = std::max(last, sequence);
      return;
    }
  }
  uses_.emplace_back(&clock, sequence);
}

bool Storage::idle() noexcept {
  const std::scoped_lock guard(lock_);
  std::erase_if(uses_, [](const auto& use) { return use.first->completed() >= use.second; });
  return uses_.empty();
}

void Storage::wait_until_idle() {
  const Uses waited_for = uses();
  for (const auto& [clock, sequence] : waited_for) clock->wait(sequence);
  forget(waited_for);
}

void Storage::wait_for_others(const Clock* mine) {
  Uses others = uses();
  std::erase_if(others, [&](const auto& use) { return use.first == mine; });
  for (const auto& [clock, sequence] : others) clock->wait(sequence);
  forget(others);
}

void Storage::settle() noexcept {
  const Uses waited_for = uses();
  for (const auto& [clock, sequence] : waited_for) {
    try {
      clock->wait(sequence);
    } catch (...) {
      continue;
    }
  }
  forget(waited_for);
}

Storage::Uses Storage::uses() const {
  const std::scoped_lock guard(lock_);
  return uses_;
}

void Storage::forget(const Uses& completed) {
  if (completed.empty()) return;
  const std::scoped_lock guard(lock_);
  std::erase_if(uses_, [&](const auto& use) {
    return std::any_of(completed.begin(), completed.end(), [&](const auto& done) {
      return done.first == use.first && done.second >= use.second;
    });
  });
}

}  // namespace switchyard
