#include "memory/uses.hpp"

#include <algorithm>
#include <mutex>

namespace switchyard {
namespace {

void wait_quietly(StreamProgress& stream, std::uint64_t sequence) noexcept {
  try {
    stream.wait(sequence);
  } catch (...) {
    return;  // whoever asks for the results is told
  }
}

}  // namespace

Uses::Use& Uses::use_of(StreamProgress& stream) {
  for (Use& use : list_) {
    if (use.stream == &stream) return use;
  }
  return list_.emplace_back(Use{&stream, 0, 0});
}

void Uses::record_read(StreamProgress& stream, std::uint64_t sequence) {
  const std::scoped_lock guard(lock_);
  Use& use = use_of(stream);
  use.last = std::max(use.last, sequence);
}

void Uses::record_write(StreamProgress& stream, std::uint64_t sequence) {
  const std::scoped_lock guard(lock_);
  Use& use = use_of(stream);
  use.last = std::max(use.last, sequence);
  use.last_write = std::max(use.last_write, sequence);
}

bool Uses::complete(const StreamProgress* but) noexcept {
  const std::scoped_lock guard(lock_);
  std::erase_if(list_, [](const Use& use) { return use.stream->completed() >= use.last; });
  return std::all_of(list_.begin(), list_.end(), [&](const Use& use) { return use.stream == but; });
}

void Uses::wait_for_writes() {
  const List waited_for = copy();
  for (const Use& use : waited_for) {
    if (use.last_write > 0) use.stream->wait(use.last_write);
  }
  forget_writes(waited_for);
}

void Uses::wait() {
  const List waited_for = copy();
  for (const Use& use : waited_for) {
    if (use.last_write > 0) use.stream->wait(use.last_write);
    if (use.last > use.last_write) wait_quietly(*use.stream, use.last);
  }
  forget(waited_for);
}

void Uses::order_after_writes(StreamProgress& mine) {
  List waited_for = copy(&mine);
  std::erase_if(waited_for, [&](const Use& use) {
    if (use.last_write == 0 || mine.follow(*use.stream, use.last_write)) return true;
    use.stream->wait(use.last_write);
    return false;
  });
  forget_writes(waited_for);
}

// A stream that follows another fails with it, and work that only reads does not concern who
// writes later: that is waited for here.
void Uses::order_after_all(StreamProgress& mine) {
  List waited_for = copy(&mine);
  std::erase_if(waited_for, [&](const Use& use) {
    const bool only_writes = use.last == use.last_write;
    if (only_writes && mine.follow(*use.stream, use.last)) return true;
    if (use.last_write > 0) use.stream->wait(use.last_write);
    if (!only_writes) wait_quietly(*use.stream, use.last);
    return false;
  });
  forget(waited_for);
}

void Uses::settle() noexcept {
  const List waited_for = copy();
  for (const Use& use : waited_for) wait_quietly(*use.stream, use.last);
  forget(waited_for);
}

Uses::List Uses::copy(const StreamProgress* but) const {
  const std::scoped_lock guard(lock_);
  List list = list_;
  if (but) std::erase_if(list, [&](const Use& use) { return use.stream == but; });
  return list;
}

void Uses::forget_writes(const List& completed) {
  if (completed.empty()) return;
  const std::scoped_lock guard(lock_);
  for (const Use& done : completed) {
    for (Use& use : list_) {
      if (use.stream != done.stream || use.last_write > done.last_write) continue;
      if (use.last <= use.last_write) use.last = 0;
      use.last_write = 0;
    }
  }
  std::erase_if(list_, [](const Use& use) { return use.last == 0; });
}

void Uses::forget(const List& completed) {
  if (completed.empty()) return;
  const std::scoped_lock guard(lock_);
  std::erase_if(list_, [&](const Use& use) {
    return std::any_of(completed.begin(), completed.end(), [&](const Use& done) {
      return done.stream == use.stream && done.last >= use.last;
    });
  });
}

}  // namespace switchyard
