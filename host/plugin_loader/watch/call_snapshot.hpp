#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plugin_loader/watch/thread_calls.hpp"

namespace switchyard::watch {

/// What a thread is in the middle of, as another thread has read it: a call, or a wait for work.
/// Valid as long as the watcher's lock is held, without which neither targets nor work are
/// destroyed.
struct CallSnapshot {
  const ThreadCalls* thread;
  const Activity* activity;
  const char* what;
  const CallTarget* target;
  std::uint64_t changes;                          // tells one call from the next
  const WorkUnderWay* work = nullptr;             // of a wait
  std::optional<std::uint64_t> pieces_done = {};  // of the work, if that is known

  /// "plugin:0: run for Relu, node 'a'"; nothing where the thread has gone on meanwhile.
  std::optional<std::string> call_text() const;
  /// The same of what is behind a call: "", or of a wait "; pieces of work under way: 3".
  std::string work_text() const;
};

/// What the thread waits for, or else the call that it is in. Nothing where that changes just now,
/// or where it does nothing of a known target.
std::optional<CallSnapshot> snapshot_of(const ThreadCalls& thread);

}  // namespace switchyard::watch
