#include "plugin_loader/isolation/server/server_lane.hpp"

#include <chrono>
#include <vector>

namespace switchyard::isolation {

thread_local ServerLane* lane_here = nullptr;

void ServerLane::await_turn() {
  constexpr std::chrono::seconds kLook{60};
  std::uint32_t turn = state_.turn.load(std::memory_order_acquire);
  std::chrono::nanoseconds spin = spinning_time();
  while (turn % 2 == 0) {
    turn = isolation::await_turn(state_.turn, turn, state_.server_sleeps, spin, kLook);
    spin = std::chrono::nanoseconds{0};
  }
  take_area();
}

void ServerLane::hand_over(Handover what, std::size_t bytes) {
  state_.what.store(static_cast<std::uint32_t>(what), std::memory_order_relaxed);
  state_.bytes.store(bytes, std::memory_order_relaxed);
  give_turn(state_, state_.host_sleeps);
}

void ServerLane::grow(std::size_t bytes, std::size_t written) {
  const std::vector<std::byte> kept(data_, data_ + written);
  const std::uint64_t wanted = std::max<std::uint64_t>(bytes, 2 * bytes_);
  std::memcpy(data_, &wanted, sizeof(wanted));
  hand_over(Handover::room, sizeof(wanted));
  await_turn();
  std::memcpy(data_, kept.data(), written);
}

}  // namespace switchyard::isolation
