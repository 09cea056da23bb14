#include "memory/uses.hpp"

#include <algorithm>
#include <mutex>

namespace switchyard {

void Uses::record(Clock& clock, std::uint64_t sequence) {
  const std::scoped_lock guard(lock_);
  for (auto& [used_by, last] : list_) {
    if (used_by == &clock) {
      last = std::max(last, sequence);
      return;
    }
  }
  list_.emplace_back(&clock, sequence);
}

bool Uses::complete(const Clock* but) noexcept {
  const std::scoped_lock guard(lock_);
  std::erase_if(list_, [](const auto& use) { return use.first->completed() >= use.second; });
  return std::all_of(list_.begin(), list_.end(), [&](const auto& use) { return use.first == but; });
}

void Uses::wait(const Clock* but) {
  List waited_for = copy();
  if (but) std::erase_if(waited_for, [&](const auto& use) { return use.first == but; });
  for (const auto& [clock, sequence] : waited_for) clock->wait(sequence);
  forget(waited_for);
}

void Uses::settle() noexcept {
  const List waited_for = copy();
  for (const auto& [clock, sequence] : waited_for) {
    try {
      clock->wait(sequence);
    } catch (...) {
      continue;  // whoever asks for the results is told
    }
  }
  forget(waited_for);
}

Uses::List Uses::copy() const {
  const std::scoped_lock guard(lock_);
  return list_;
}

void Uses::forget(const List& completed) {
  if (completed.empty()) return;
  const std::scoped_lock guard(lock_);
  std::erase_if(list_, [&](const auto& use) {
    return std::any_of(completed.begin(), completed.end(), [&](const auto& done) {
      return done.first == use.first && done.second >= use.second;
    });
  });
}

}  // namespace switchyard
