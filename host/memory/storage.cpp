#include "memory/storage.hpp"

#include <algorithm>

namespace switchyard {

void Storage::record_use(Clock& clock, std::uint64_t sequence) {
  for (auto& [used_by, last] : uses_) {
    if (used_by == &clock) {
      last = std::max(last, sequence);
      return;
    }
  }
  uses_.emplace_back(&clock, sequence);
}

bool Storage::idle() {
  std::erase_if(uses_, [](const auto& use) { return use.first->completed() >= use.second; });
  return uses_.empty();
}

void Storage::wait_until_idle() {
  for (const auto& [clock, sequence] : uses_) clock->wait(sequence);
  uses_.clear();
}

void Storage::settle() noexcept {
  for (const auto& [clock, sequence] : uses_) {
    try {
      clock->wait(sequence);
    } catch (...) {
      continue;
    }
  }
  uses_.clear();
}

}  // namespace switchyard
