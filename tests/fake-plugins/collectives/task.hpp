// A collective as one rank carries it out: in pieces, none of which waits, so that one thread can
// carry out several at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "meeting.hpp"

namespace collective {

class Task {
 public:
  // `peer` is that of a send or a receive. The regions live until it is over, or destroyed.
  Task(std::shared_ptr<Meeting> meeting, const Call& call, uint32_t peer, const char* input,
       char* output);

  Meeting& meeting() const { return *meeting_; }
  const Call& call() const { return call_; }
  bool is_over() const { return is_over_; }
  // Whether `later`, of the same group, may only begin when this is over.
  bool precedes(const Task& later) const;

  // Does what can be done now. Returns whether that was anything. Throws where ranks disagree.
  bool advance();
  // The ranks without which it does not get on.
  std::vector<uint32_t> missing() const;

 private:
  bool is_between_two() const { return call_.kind == SY_SEND || call_.kind == SY_RECEIVE; }
  Meeting::Lane& lane() const;

  bool advance_together();
  void publish();
  void collect();
  void compare_calls() const;
  std::vector<const char*> mailboxes(uint64_t offset_bytes) const;
  uint64_t now() const;  // elements of this round
  bool all_have_come_to(uint64_t step) const;

  bool send();
  bool receive();

  const std::shared_ptr<Meeting> meeting_;
  const Call call_;
  const uint32_t peer_;
  const char* const input_;
  char* const output_;
  const uint64_t size_;   // of an element
  const uint64_t round_;  // the most elements of a round
  uint64_t done_ = 0;     // elements
  bool has_begun_ = false;
  bool is_over_ = false;
};

}  // namespace collective
