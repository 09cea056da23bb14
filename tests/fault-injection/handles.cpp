#include "handles.hpp"

#include <algorithm>

namespace fault_injection {

void Handles::add(sy_device device) {
  const std::lock_guard lock(guard_);
  devices_[device] = std::make_shared<DeviceGate>();
}

void Handles::add(sy_stream stream, sy_device device) {
  const Gate gate = gate_of(device);
  const std::lock_guard lock(guard_);
  streams_[stream] = {gate, 0, {}};
}

void Handles::add(sy_event event, sy_device device) {
  const Gate gate = gate_of(device);
  const std::lock_guard lock(guard_);
  events_[event] = gate;
}

void Handles::remove(sy_device device) {
  const std::lock_guard lock(guard_);
  devices_.erase(device);
}

void Handles::remove(sy_stream stream) {
  const std::lock_guard lock(guard_);
  streams_.erase(stream);
}

void Handles::remove(sy_event event) {
  const std::lock_guard lock(guard_);
  events_.erase(event);
}

Handles::Gate Handles::gate_of(sy_device device) const {
  const std::lock_guard lock(guard_);
  const auto found = devices_.find(device);
  return found == devices_.end() ? nullptr : found->second;
}

Handles::Gate Handles::gate_of(sy_stream stream) const {
  const std::lock_guard lock(guard_);
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second.gate;
}

Handles::Gate Handles::gate_of(sy_event event) const {
  const std::lock_guard lock(guard_);
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : found->second;
}

void Handles::note_enqueued(sy_stream stream, uint64_t sequence) {
  const std::lock_guard lock(guard_);
  const auto found = streams_.find(stream);
  if (found != streams_.end()) found->second.last = std::max(found->second.last, sequence);
}

void Handles::stick(sy_stream stream, const StuckFailure& failure) {
  const std::lock_guard lock(guard_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return;
  std::optional<StuckFailure>& kept = found->second.failure;
  if (!kept || kept->sequence > failure.sequence) kept = failure;
}

std::optional<sy_status> Handles::stuck(sy_stream stream, uint64_t sequence) const {
  const std::lock_guard lock(guard_);
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return std::nullopt;
  const std::optional<StuckFailure>& kept = found->second.failure;
  if (!kept || sequence < kept->sequence) return std::nullopt;
  return kept->status;
}

std::vector<Handles::Work> Handles::enqueued_on(const Gate& gate) const {
  const std::lock_guard lock(guard_);
  std::vector<Work> all;
  for (const auto& [stream, state] : streams_) {
    if (state.gate == gate && state.last > 0) all.push_back({stream, state.last});
  }
  return all;
}

}  // namespace fault_injection
