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
  const std::uint64_t completed = std::min(stream.told, stream.last);
  while (!stream.deliveries.empty() && stream.deliveries.front().first <= completed) {
    make(stream.deliveries.front().second);
    stream.deliveries.pop_front();
  }
  if (completed > stream.completed.load(std::memory_order_relaxed)) {
    stream.completed.store(completed, std::memory_order_release);
  }
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
  if (delivery.block.data() != nullptr) {
    stream.deliveries.emplace_back(sequence, std::move(delivery));
  }
  stream.last = std::max(stream.last, sequence);
  settle(stream);
}

}  // namespace switchyard::isolation
