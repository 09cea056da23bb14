// Where the ranks of a communicator meet: memory that they share, whether they are threads of one
// process or processes of one machine. Nothing of it is locked: each rank writes what is its own.
#pragma once

#include <switchyard/collectives.h>
#include <switchyard/plugin.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shared_file.hpp"

namespace collective {

using Id = std::array<uint8_t, SY_COMMUNICATOR_ID_BYTES>;

Id new_id();

// What a rank asks for: all ranks of a collective say the same.
struct Call {
  sy_collective_kind kind = 0;
  sy_dtype dtype = 0;
  sy_reduction reduction = SY_REDUCE_NONE;
  uint32_t root = 0;  // of a broadcast
  uint64_t count = 0;

  bool operator==(const Call&) const = default;
};
std::string text_of(const Call& call);

// One rank's end. `check`, `fail` and `abort` may be called from any thread.
class Meeting {
 public:
  static constexpr uint32_t most_ranks = 64;
  static constexpr size_t mailbox_bytes = 32768;  // of a rank, for all others
  static constexpr size_t lane_bytes = 4096;      // from one rank to another

  // What two ranks send to each other in one direction, a piece at a time.
  struct Lane {
    std::atomic<uint64_t> written, read;  // pieces
    uint64_t count;                       // of the elements that this piece is of
    sy_dtype dtype;
    char bytes[lane_bytes];
  };

  // Takes the rank's seat. Throws sy::invalid for an id of nobody's, a rank that is taken or out of
  // range, and another number of ranks than others have named; all ranks fail with that.
  Meeting(const Id& id, uint32_t rank, uint32_t count, std::chrono::milliseconds timeout);
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Until all ranks are there. Throws as check() does while they are not.
  void wait_for_all();

  uint32_t rank() const { return rank_; }
  uint32_t count() const { return count_; }
  std::chrono::milliseconds timeout() const { return timeout_; }  // 0: none

  // How far a rank has come: twice the number of its rounds, and one while its mailbox is full.
  uint64_t step(uint32_t rank) const;
  void set_step(uint64_t step);
  Call& call(uint32_t rank) const;
  char* mailbox(uint32_t rank) const;
  Lane& lane(uint32_t from, uint32_t to) const;
  // Whether a rank has left, or its process has ended.
  bool is_lost(uint32_t rank) const;

  // Ends all ranks' work with this, unless something has before.
  void fail(sy_status status, const std::string& message);
  // Throws what the ranks failed with.
  void check() const;

 private:
  struct Seat;
  struct Header;

  Header& header() const;
  Seat& seat(uint32_t rank) const;
  char* behind_seats() const;
  static size_t size_of(uint32_t count);
  void take_seat();

  const uint32_t rank_;
  const uint32_t count_;
  const std::chrono::milliseconds timeout_;
  SharedFile file_;
};

// A name for messages.
std::string rank_text(uint32_t rank);

}  // namespace collective
