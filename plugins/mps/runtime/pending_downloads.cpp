#include "runtime/pending_downloads.hpp"

#include <algorithm>

namespace mps {

std::shared_ptr<void> PendingDownloads::add(const HostRange& range) {
  std::list<HostRange>::iterator position;
  {
    const std::lock_guard lock(state_->mutex);
    position = state_->ranges.insert(state_->ranges.end(), range);
    ++state_->count;
  }
  return {nullptr, [state = state_, position](void*) {
            const std::lock_guard lock(state->mutex);
            state->ranges.erase(position);
            --state->count;
          }};
}

bool PendingDownloads::overlap(const HostRange& range) const {
  if (state_->count == 0) return false;
  const std::lock_guard lock(state_->mutex);
  return std::any_of(state_->ranges.begin(), state_->ranges.end(),
                     [&](const HostRange& pending) { return pending.overlaps(range); });
}

}  // namespace mps
