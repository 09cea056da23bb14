#include "plugin_loader/isolation/deliveries.hpp"

#include <algorithm>
#include <mutex>

namespace switchyard::isolation {
namespace {

void make(const Delivery& delivery) {
  if (delivery.deliver) delivery.deliver(delivery.block.data());
}

// A number that has not been given cannot have completed, whatever the server says.
void settle(ProxyStream& stream) {
  if (stream.is_abandoned) return;
  const std::uint64_t completed = std::min(stream.told, stream.last);
  while (!stream.deliveries.empty() && stream.deliveries.front().first <= completed) {
    make(stream.deliveries.front().second);
    stream.deliveries.pop_front();
  }
  if (completed > stream.completed.load(std::memory_order_relaxed)) {
    stream.completed.store(completed, std::memory_order_release);
  }
}

void abandon_locked(ProxyStream& stream) noexcept {
  stream.is_abandoned = true;
  for (auto& [sequence, delivery] : stream.deliveries) delivery.deliver = nullptr;
}

}  // namespace

void note_told(ProxyStream& stream, std::uint64_t completed) {
  if (stream.device.synchronous()) return;
  const std::lock_guard lock(stream.guard);
  stream.told = std::max(stream.told, completed);
  settle(stream);
}

void note_enqueued(ProxyStream& stream, std::uint64_t sequence, Delivery delivery) {
  if (stream.device.synchronous()) return make(delivery);
  const std::lock_guard lock(stream.guard);
  if (sequence != stream.last + 1) abandon_locked(stream);
  if (stream.is_abandoned) delivery.deliver = nullptr;
  if (delivery.block.data() != nullptr) {
    stream.deliveries.emplace_back(sequence, std::move(delivery));
  }
  stream.last = sequence;
  settle(stream);
}

bool is_delivered(ProxyStream& stream, std::uint64_t sequence) {
  if (stream.device.synchronous()) return true;
  const std::lock_guard lock(stream.guard);
  return stream.completed.load(std::memory_order_relaxed) >= std::min(sequence, stream.last);
}

void abandon(ProxyStream& stream) noexcept {
  const std::lock_guard lock(stream.guard);
  abandon_locked(stream);
}

void abandon_streams(ProxyDevice& device) noexcept {
  const std::lock_guard lock(device.streams_guard);
  for (ProxyStream* const stream : device.streams) abandon(*stream);
}

bool is_abandoned(ProxyStream& stream) {
  const std::lock_guard lock(stream.guard);
  return stream.is_abandoned;
}

}  // namespace switchyard::isolation
