#include "task.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "elements.hpp"
#include "switchyard/plugin/dtype.hpp"
#include "switchyard/plugin/guard.hpp"

namespace collective {
namespace {

void copy(char* to, const char* from, uint64_t bytes) {
  if (bytes != 0 && to != from) std::memcpy(to, from, bytes);
}

uint64_t elements_of_round(const Meeting& meeting, sy_collective_kind kind, uint64_t size) {
  if (kind == SY_SEND || kind == SY_RECEIVE) return Meeting::lane_bytes / size;
  const uint64_t blocks = kind == SY_REDUCE_SCATTER ? meeting.count() : 1;
  return Meeting::mailbox_bytes / size / blocks;
}

}  // namespace

Task::Task(std::shared_ptr<Meeting> meeting, const Call& call, uint32_t peer, const char* input,
           char* output)
    : meeting_(std::move(meeting)),
      call_(call),
      peer_(peer),
      input_(input),
      output_(output),
      size_(sy::dtype_bytes(call.dtype)),
      round_(elements_of_round(*meeting_, call.kind, size_)) {}

bool Task::precedes(const Task& later) const {
  if (meeting_ != later.meeting_) return false;
  if (!is_between_two() || !later.is_between_two()) {
    return is_between_two() == later.is_between_two();
  }
  return call_.kind == later.call_.kind && peer_ == later.peer_;
}

Meeting::Lane& Task::lane() const {
  return call_.kind == SY_SEND ? meeting_->lane(meeting_->rank(), peer_)
                               : meeting_->lane(peer_, meeting_->rank());
}

bool Task::advance() {
  if (call_.kind == SY_SEND) return send();
  if (call_.kind == SY_RECEIVE) return receive();
  return advance_together();
}

uint64_t Task::now() const { return std::min(round_, call_.count - done_); }

bool Task::all_have_come_to(uint64_t step) const {
  for (uint32_t rank = 0; rank < meeting_->count(); ++rank) {
    if (meeting_->step(rank) < step) return false;
  }
  return true;
}

// A mailbox is filled again once all have read it, and read once all are filled.
bool Task::advance_together() {
  const uint64_t step = meeting_->step(meeting_->rank());
  if (!all_have_come_to(step)) return false;
  const bool are_filled = step % 2 == 1;
  if (are_filled) {
    if (!has_begun_) compare_calls();
    has_begun_ = true;
    collect();
    done_ += now();
    is_over_ = done_ == call_.count;
  } else {
    meeting_->call(meeting_->rank()) = call_;
    publish();
  }
  meeting_->set_step(step + 1);
  return true;
}

void Task::publish() {
  const uint32_t rank = meeting_->rank();
  if (call_.kind == SY_BROADCAST && call_.root != rank) return;
  const uint64_t blocks = call_.kind == SY_REDUCE_SCATTER ? meeting_->count() : 1;
  for (uint64_t block = 0; block < blocks; ++block) {
    copy(meeting_->mailbox(rank) + block * round_ * size_,
         input_ + (block * call_.count + done_) * size_, now() * size_);
  }
}

void Task::compare_calls() const {
  for (uint32_t rank = 0; rank < meeting_->count(); ++rank) {
    if (meeting_->call(rank) == call_) continue;
    meeting_->fail(SY_INVALID, sy::text("the ranks disagree: rank ", meeting_->rank(), " calls ",
                                        text_of(call_), ", rank ", rank, " calls ",
                                        text_of(meeting_->call(rank))));
    meeting_->check();
  }
}

std::vector<const char*> Task::mailboxes(uint64_t offset_bytes) const {
  std::vector<const char*> all;
  for (uint32_t rank = 0; rank < meeting_->count(); ++rank) {
    all.push_back(meeting_->mailbox(rank) + offset_bytes);
  }
  return all;
}

void Task::collect() {
  char* const out = output_ + done_ * size_;
  if (now() == 0) return;
  switch (call_.kind) {
    case SY_ALL_REDUCE: return reduce(call_.dtype, call_.reduction, now(), mailboxes(0), out);
    case SY_REDUCE_SCATTER:
      return reduce(call_.dtype, call_.reduction, now(),
                    mailboxes(meeting_->rank() * round_ * size_), out);
    case SY_ALL_GATHER:
      for (uint32_t rank = 0; rank < meeting_->count(); ++rank) {
        copy(out + rank * call_.count * size_, meeting_->mailbox(rank), now() * size_);
      }
      return;
    default: copy(out, meeting_->mailbox(call_.root), now() * size_);
  }
}

bool Task::send() {
  Meeting::Lane& to = lane();
  const uint64_t written = to.written.load(std::memory_order_relaxed);
  if (to.read.load(std::memory_order_acquire) != written) return false;
  to.count = call_.count;
  to.dtype = call_.dtype;
  copy(to.bytes, input_ + done_ * size_, now() * size_);
  to.written.store(written + 1, std::memory_order_release);
  done_ += now();
  is_over_ = done_ == call_.count;
  return true;
}

bool Task::receive() {
  Meeting::Lane& from = lane();
  const uint64_t read = from.read.load(std::memory_order_relaxed);
  if (from.written.load(std::memory_order_acquire) == read) return false;
  if (from.count != call_.count || from.dtype != call_.dtype) {
    const Call sent{SY_SEND, from.dtype, SY_REDUCE_NONE, 0, from.count};
    meeting_->fail(SY_INVALID,
                   sy::text("the ranks disagree: rank ", meeting_->rank(), " calls ",
                            text_of(call_), ", rank ", peer_, " calls ", text_of(sent)));
    meeting_->check();
  }
  copy(output_ + done_ * size_, from.bytes, now() * size_);
  from.read.store(read + 1, std::memory_order_release);
  done_ += now();
  is_over_ = done_ == call_.count;
  return true;
}

std::vector<uint32_t> Task::missing() const {
  std::vector<uint32_t> missing;
  if (is_between_two()) {
    const bool is_full = lane().written.load(std::memory_order_acquire) !=
                         lane().read.load(std::memory_order_acquire);
    if (is_full == (call_.kind == SY_SEND)) missing.push_back(peer_);
    return missing;
  }
  const uint64_t step = meeting_->step(meeting_->rank());
  for (uint32_t rank = 0; rank < meeting_->count(); ++rank) {
    if (meeting_->step(rank) < step) missing.push_back(rank);
  }
  return missing;
}

}  // namespace collective
