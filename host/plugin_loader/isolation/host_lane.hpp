/// The host's end of a lane: messages are written to shared memory, and read from copies of it, so
/// that the server cannot change them under the host's eyes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "plugin_loader/isolation/arena.hpp"
#include "plugin_loader/isolation/calls.hpp"
#include "plugin_loader/isolation/lane.hpp"
#include "plugin_loader/isolation/message.hpp"

namespace switchyard::isolation {

/// Where a request is written: an area of the lane's own, or a block if it needs more.
class RequestRoom final : public Room {
 public:
  RequestRoom(Arena& arena, std::byte* own, std::size_t bytes);
  void grow(std::size_t bytes, std::size_t written) override;
  /// Back to the lane's own area.
  void shrink() noexcept;

 private:
  Arena& arena_;
  std::byte* const own_;
  const std::size_t own_bytes_;
  ArenaBlock block_;
};

/// One thread at a time uses it.
class HostLane {
 public:
  explicit HostLane(Arena& arena);

  const LaneState* state() const noexcept { return state_; }
  Room& request() noexcept { return request_; }

  /// Hands the request over.
  void post(Call call, std::size_t bytes) noexcept;
  /// Waits for the server's turn to end; false after `limit`, or earlier if it was woken for
  /// another reason. Throws BadMessage for what no server does.
  bool await(std::chrono::nanoseconds spin, std::chrono::nanoseconds limit);
  Handover handover() const noexcept { return handover_; }
  /// What the server handed over, as it was then.
  MessageReader message() const { return {copy_.data(), copied_}; }
  /// Answers what the server asked, and gives it the turn again.
  template <typename Reply>
  void reply(const Reply& reply) noexcept {
    std::memcpy(answer_, &reply, sizeof(reply));
    give_turn();
  }
  /// Gives it a larger area for the answer, and the turn. Throws BadMessage for one too large.
  void widen(std::uint64_t bytes);
  /// Whether no call is under way. One that was given up leaves the server in the middle of it.
  bool is_idle() const noexcept { return is_idle_; }
  /// After a call: gives large areas back.
  void finish() noexcept;

 private:
  void give_turn() noexcept;

  Arena& arena_;
  ArenaBlock block_;
  LaneState* const state_;
  RequestRoom request_;
  std::byte* answer_;
  std::size_t answer_bytes_;
  ArenaBlock wide_answer_;
  std::uint32_t given_ = 0;  // the word, as this side last left it
  Handover handover_ = Handover::answer;
  bool is_idle_ = true;
  std::vector<std::byte> copy_;
  std::size_t copied_ = 0;
};

}  // namespace switchyard::isolation
