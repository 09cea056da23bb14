/// The server's end of a lane.
#pragma once

#include <cstring>

#include "plugin_loader/isolation/lane.hpp"
#include "plugin_loader/isolation/message.hpp"

namespace switchyard::isolation {

/// Where an answer is written; one that needs more room asks the host for it.
class ServerLane final : public Room {
 public:
  explicit ServerLane(LaneState& state) : state_(state) { take_area(); }

  /// Sleeps until the host has handed something over.
  void await_turn();
  std::uint32_t call() const noexcept { return state_.what.load(std::memory_order_relaxed); }
  MessageReader request() const noexcept {
    return {reinterpret_cast<const std::byte*>(state_.request),
            static_cast<std::size_t>(state_.request_bytes)};
  }
  void hand_over(Handover what, std::size_t bytes);
  /// Hands over what lies in the answer's area, and waits for the reply there.
  template <typename Reply>
  Reply ask(Handover what, std::size_t bytes) {
    hand_over(what, bytes);
    await_turn();
    Reply reply;
    std::memcpy(&reply, data_, sizeof(reply));
    return reply;
  }

  void grow(std::size_t bytes, std::size_t written) override;

 private:
  void take_area() noexcept {
    data_ = reinterpret_cast<std::byte*>(state_.answer);
    bytes_ = static_cast<std::size_t>(state_.answer_bytes);
  }

  LaneState& state_;
};

/// The lane that this thread serves a call on; null where it does not.
extern thread_local ServerLane* lane_here;

}  // namespace switchyard::isolation
