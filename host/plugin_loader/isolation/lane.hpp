/// One call after another between a thread of the host and a thread of the process that serves a
/// plugin: two areas of shared memory, and a word that says whose turn it is.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "plugin_loader/isolation/wake.hpp"

namespace switchyard::isolation {

/// What the server hands over at its turn's end.
enum class Handover : std::uint32_t {
  answer,    // the call is over
  allocate,  // asks for the storage of a deferred output
  write,     // text for a sy_writer
  log,       // a message for the log
  room       // asks for a larger area for the answer
};

/// Lies in shared memory. The host writes where the areas lie; each side writes what it hands over.
/// What the host reads is atomic, so that it is read once: between its check and its use the server
/// may change it.
struct alignas(64) LaneState {
  std::atomic<std::uint32_t> turn{0};  // even: the host's; odd: the server's; rises by 1
  std::atomic<std::uint32_t> host_sleeps{0};
  std::atomic<std::uint32_t> server_sleeps{0};
  std::atomic<std::uint32_t> what{0};   // a Call of the host's, or a Handover of the server's
  std::atomic<std::uint64_t> bytes{0};  // of the message
  std::uint64_t request = 0, request_bytes = 0;  // addresses, the same in both processes
  std::uint64_t answer = 0, answer_bytes = 0;
};

/// How long both sides look at the word before they sleep: a call that comes, or is answered,
/// within that time costs no call of the system. None where there is one processor alone.
std::chrono::nanoseconds spinning_time() noexcept;

/// Ends one's turn. Returns the word as it left it.
inline std::uint32_t give_turn(LaneState& lane,
                               const std::atomic<std::uint32_t>& other_sleeps) noexcept {
  const std::uint32_t given = lane.turn.fetch_add(1, std::memory_order_seq_cst) + 1;
  if (other_sleeps.load(std::memory_order_seq_cst) != 0) wake_all(lane.turn);
  return given;
}

/// Until the word is no longer `seen`, or `limit` has passed; returns what it is. First looks at it
/// again and again, for `spin`.
std::uint32_t await_turn(const std::atomic<std::uint32_t>& turn, std::uint32_t seen,
                         std::atomic<std::uint32_t>& sleeps, std::chrono::nanoseconds spin,
                         std::chrono::nanoseconds limit) noexcept;

}  // namespace switchyard::isolation
